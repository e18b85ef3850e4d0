package io.lastcall.rollout.cluster;

import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What happened in one rollout.
 *
 * @param nodes how many
 * @param stall how late this machine woke a thread that slept, at worst, in nanoseconds
 * @param slowestProbe the slowest answer about readiness before the first removal, in nanoseconds
 */
public record Recording(
    int nodes, List<Exchange> exchanges, List<PodHistory> pods, long stall, long slowestProbe) {

  public Recording {
    exchanges = List.copyOf(exchanges);
    pods = List.copyOf(pods);
  }

  /** The same pods, and these exchanges. */
  public Recording with(List<Exchange> others) {
    return new Recording(nodes, others, pods, stall, slowestProbe);
  }

  /** The first SIGTERM, as {@link System#nanoTime()}: the zero of the picture. */
  public long origin() {
    return terminations().get(0).sigterm();
  }

  public List<PodHistory.Termination> terminations() {
    return pods.stream().flatMap(pod -> pod.termination().stream()).toList();
  }

  /** How often each failure occurred, without those that did not. */
  public Map<Outcome, Long> failures() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    exchanges.stream()
        .filter(Exchange::failed)
        .forEach(exchange -> counts.merge(exchange.outcome(), 1L, Long::sum));
    return counts;
  }

  /** Everything that went to a pod after its SIGTERM. */
  public List<Exchange> sentAfterSigterm() {
    return exchanges.stream().filter(this::isAfterSigterm).toList();
  }

  public boolean isAfterSigterm(Exchange exchange) {
    return pods.get(exchange.pod())
        .termination()
        .filter(end -> exchange.sent() - end.sigterm() >= 0)
        .isPresent();
  }

  /** When a request to a terminating pod was sent, by that pod's clock; 0 for a replacement. */
  public double secondsAfterSigterm(Exchange exchange) {
    return pods.get(exchange.pod())
        .termination()
        .map(end -> (exchange.sent() - end.sigterm()) / 1e9)
        .orElse(0.0);
  }

  /** The worst and the 99th percentile of how late requests left this machine, in milliseconds. */
  public Lateness lateness() {
    long[] late = exchanges.stream().mapToLong(each -> each.started() - each.planned()).toArray();
    Arrays.sort(late);
    return late.length == 0
        ? new Lateness(0, 0)
        : new Lateness(late[(int) (late.length * 0.99)] / 1e6, late[late.length - 1] / 1e6);
  }

  /**
   * The load's own delay in milliseconds; large values mean that the machine, not the server, was
   * too slow.
   */
  public record Lateness(double p99, double max) {}
}
