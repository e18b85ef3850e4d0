package io.lastcall.drill;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.List;
import java.util.Map;

/** One server, rolled once in one mode with one seed. */
record RunResult(String server, Mode mode, long seed, DrillSettings settings, Recording recording) {

  List<Exchange> exchanges() {
    return recording.exchanges();
  }

  List<PodHistory> pods() {
    return recording.pods();
  }

  RunResult with(List<Exchange> others) {
    return new RunResult(server, mode, seed, settings, recording.with(others));
  }

  long origin() {
    return recording.origin();
  }

  List<PodHistory.Termination> terminations() {
    return recording.terminations();
  }

  long count(Outcome outcome) {
    return exchanges().stream().filter(exchange -> exchange.outcome() == outcome).count();
  }

  Map<Outcome, Long> failures() {
    return recording.failures();
  }

  double secondsAfterSigterm(Exchange exchange) {
    return recording.secondsAfterSigterm(exchange);
  }

  /** The failures that count as lost by the server. */
  List<Exchange> lost() {
    return exchanges().stream().filter(exchange -> Verdict.isLost(exchange, this)).toList();
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
    return exchanges().stream()
        .filter(exchange -> exchange.pod() == pod.index() && !exchange.failed())
        .mapToLong(Exchange::ended)
        .filter(time -> time - end.sigterm() > 0 && time - end.gone() <= 0)
        .reduce(end.sigterm(), Math::max);
  }
}
