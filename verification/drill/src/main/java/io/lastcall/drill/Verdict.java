package io.lastcall.drill;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.time.Duration;

/**
 * What counts as lost, and as a clean exit. While every node learns in the end, any failure does.
 * With nodes that never learn no server can answer for ever, and these are not losses: connections
 * refused on behalf of such a node (nothing was admitted) once the propagation delay is over, and a
 * 503 in the last stretch before the deadline. A request that was accepted and then cut is always
 * one.
 */
final class Verdict {
  /** Lastcall's exit code where something timed out, failed or was abandoned. */
  private static final int CUT_SHORT = 80;

  /** 128 + SIGTERM: what a JVM says without Lastcall. */
  private static final int SIGTERMED = 143;

  private Verdict() {}

  static boolean isLost(Exchange exchange, RunResult run) {
    return switch (exchange.outcome()) {
      case OK, UNROUTABLE -> false;
      case REFUSED -> !isOfOneThatNeverLearns(exchange, run);
      case UNAVAILABLE -> run.settings().neverLeave() == 0 || !isInLastStretch(exchange, run);
      case RESET, EOF, TRUNCATED, WRONG_BODY, OTHER_STATUS, TIMEOUT -> true;
    };
  }

  /**
   * Whether a pod's exit is as it should be. Where some nodes never learn, requests are in flight
   * to the end, and a drain that was cut short may say so. With Lastcall, a JVM that goes by its
   * own hook has not gone as it should.
   */
  static boolean isCleanExit(PodHistory.Termination end, RunResult run) {
    return switch (end.exitCode()) {
      case 0 -> true;
      case SIGTERMED -> !run.mode().isDrained();
      case CUT_SHORT -> run.settings().neverLeave() > 0;
      default -> false;
    };
  }

  /** Gives refusals that nobody could have answered their own name. */
  static Exchange classify(Exchange exchange, RunResult run) {
    boolean unroutable =
        exchange.outcome() == Outcome.REFUSED
            && isOfOneThatNeverLearns(exchange, run)
            && run.pods().get(exchange.pod()).termination().stream()
                .anyMatch(end -> exchange.ended() - end.gone() >= 0);
    return unroutable ? exchange.withOutcome(Outcome.UNROUTABLE) : exchange;
  }

  /** Behind the delay: until then a server that refuses has closed too early for every node. */
  private static boolean isOfOneThatNeverLearns(Exchange exchange, RunResult run) {
    long delay = run.settings().delay().toNanos();
    return run.pods().get(exchange.pod()).termination().stream()
        .anyMatch(
            end ->
                end.leaves().get(exchange.node()) == ClusterNode.NEVER
                    && exchange.ended() - end.sigterm() >= delay);
  }

  private static boolean isInLastStretch(Exchange exchange, RunResult run) {
    Duration start = run.settings().grace().minus(run.settings().lastStretch());
    return run.pods().get(exchange.pod()).termination().stream()
        .anyMatch(end -> exchange.ended() - end.sigterm() >= start.toNanos());
  }
}
