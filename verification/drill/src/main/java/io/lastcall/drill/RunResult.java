package io.lastcall.drill;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** One server, rolled once in one mode with one seed. */
record RunResult(
    String server,
    Mode mode,
    long seed,
    DrillSettings settings,
    List<Exchange> exchanges,
    List<PodHistory> pods) {

  RunResult {
    exchanges = List.copyOf(exchanges);
    pods = List.copyOf(pods);
  }

  RunResult with(List<Exchange> others) {
    return new RunResult(server, mode, seed, settings, others, pods);
  }

  /** The first SIGTERM, as {@link System#nanoTime()}: the zero of the picture. */
  long origin() {
    return terminations().get(0).sigterm();
  }

  List<PodHistory.Termination> terminations() {
    return pods.stream().flatMap(pod -> pod.termination().stream()).toList();
  }

  long count(Outcome outcome) {
    return exchanges.stream().filter(exchange -> exchange.outcome() == outcome).count();
  }

  /** How often each failure occurred, without those that did not. */
  Map<Outcome, Long> failures() {
    Map<Outcome, Long> counts = new EnumMap<>(Outcome.class);
    exchanges.stream()
        .filter(Exchange::failed)
        .forEach(exchange -> counts.merge(exchange.outcome(), 1L, Long::sum));
    return counts;
  }

  /** Everything that went to a pod after its SIGTERM. */
  List<Exchange> sentAfterSigterm() {
    return exchanges.stream().filter(this::isAfterSigterm).toList();
  }

  boolean isAfterSigterm(Exchange exchange) {
    return pods.get(exchange.pod())
        .termination()
        .filter(end -> exchange.sent() - end.sigterm() >= 0)
        .isPresent();
  }

  /** When a request to a terminating pod was sent, by that pod's clock; 0 for a replacement. */
  double secondsAfterSigterm(Exchange exchange) {
    return pods.get(exchange.pod())
        .termination()
        .map(end -> (exchange.sent() - end.sigterm()) / 1e9)
        .orElse(0.0);
  }

  /** The failures that count as lost by the server. */
  List<Exchange> lost() {
    return exchanges.stream().filter(exchange -> Verdict.isLost(exchange, this)).toList();
  }

  /** The exits that are not as they should be. */
  List<PodHistory.Termination> uncleanExits() {
    return terminations().stream().filter(end -> !Verdict.isCleanExit(end, this)).toList();
  }

  /** Whether nothing was lost and every pod went by itself, and cleanly. */
  boolean passed() {
    return lost().isEmpty() && uncleanExits().isEmpty();
  }

  /**
   * The last byte of a good response of this pod before it went; its SIGTERM if there was none
   * after.
   */
  long lastByte(PodHistory pod, PodHistory.Termination end) {
    return exchanges.stream()
        .filter(exchange -> exchange.pod() == pod.index() && !exchange.failed())
        .mapToLong(Exchange::ended)
        .filter(time -> time - end.sigterm() > 0 && time - end.gone() <= 0)
        .reduce(end.sigterm(), Math::max);
  }

  /** The worst and the 99th percentile of how late requests left this machine, in milliseconds. */
  Lateness lateness() {
    long[] late = exchanges.stream().mapToLong(each -> each.started() - each.planned()).toArray();
    Arrays.sort(late);
    return late.length == 0
        ? new Lateness(0, 0)
        : new Lateness(late[(int) (late.length * 0.99)] / 1e6, late[late.length - 1] / 1e6);
  }

  /**
   * The drill's own delay in milliseconds; large values mean that the machine, not the server, was
   * too slow.
   */
  record Lateness(double p99, double max) {}
}
