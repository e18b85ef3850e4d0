package io.lastcall.rollout.verdict;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Whether a recording can be judged: losses on a machine that was too busy are not the service's,
 * and where nothing was sent nothing could be lost.
 */
public final class Busy {
  /** Bound of the 99th percentile of how late requests were sent, in milliseconds. */
  public static final double LATE_P99 = 100;

  /** Bound of how late any request was sent, in milliseconds. */
  public static final double LATE_MAX = 1_000;

  /** Bound of how late a sleeping thread of the test was woken. */
  public static final Duration STALL = Duration.ofMillis(500);

  /** Bound of an answer about readiness before the first removal. */
  public static final Duration STARVED = Duration.ofSeconds(1);

  /** Bound of the time from a look at a kept connection until the request was written. */
  public static final Duration CHECKED = Duration.ofMillis(20);

  /** Bound of the time from such a request to the end of its connection, which it has met. */
  public static final Duration MET = Duration.ofMillis(100);

  private Busy() {}

  /**
   * Why it cannot; empty if it can.
   *
   * @param preStop from a pod's removal to SIGTERM, in nanoseconds
   * @param grace from SIGTERM to SIGKILL, in nanoseconds
   * @param wrong whether anything was lost, or a pod killed
   */
  public static Optional<String> reason(Recording run, long preStop, long grace, boolean wrong) {
    Optional<String> unwell = failedBefore(run, run.origin() - preStop);
    if (unwell.isPresent()) {
      return unwell;
    }
    return wrong ? tooBusy(run) : overdue(run, grace).or(() -> sentNothing(run, preStop));
  }

  /** Whether a pod lived on because the test's own SIGKILL was late. */
  private static Optional<String> overdue(Recording run, long grace) {
    return run.terminations().stream()
        .map(end -> end.gone() - end.sigterm())
        .filter(took -> took > grace + STALL.toNanos())
        .findFirst()
        .map(
            took ->
                format(
                    "a pod was gone only %.1f s after SIGTERM, though its grace period was over"
                        + " after %.1f s: this machine is too busy to kill it in time",
                    took / 1e9, grace / 1e9));
  }

  private static Optional<String> failedBefore(Recording run, long removed) {
    List<Exchange> before =
        run.exchanges().stream().filter(each -> each.ended() - removed < 0).toList();
    List<Exchange> failed = before.stream().filter(Exchange::failed).toList();
    if (failed.isEmpty()) {
      return Optional.empty();
    }
    String why =
        failed.stream().allMatch(Busy::isEndOfKept)
            ? "the service ended kept connections in the moment of a request, as one with a short"
                + " keep-alive timeout may"
            : "the service, or this machine, does not stand the load";
    return Optional.of(
        format(
            "%,d of %,d requests failed before the first SIGTERM (the first: %s, %s): %s",
            failed.size(),
            before.size(),
            failed.get(0).kind(),
            failed.get(0).outcome().label(),
            why));
  }

  /** Whether all losses are the test's own, or the connection's. A kill is neither. */
  private static Optional<String> lostByTheTest(Recording run) {
    List<Exchange> lost = run.exchanges().stream().filter(Exchange::failed).toList();
    boolean all =
        !lost.isEmpty()
            && run.terminations().stream().noneMatch(PodHistory.Termination::killed)
            && lost.stream().allMatch(each -> isMetByDelay(run, each));
    return all
        ? Optional.of(
            format(
                "all that was lost, %d, was sent more than %d ms after the test had looked at the"
                    + " kept connection, or on one that a pod ended that was not leaving, or that"
                    + " had nothing to say close on, or to a pod that the router had left meanwhile",
                lost.size(), CHECKED.toMillis()))
        : Optional.empty();
  }

  /**
   * A kept connection may be closed by the server at any time, and a client looks at it before it
   * sends. What comes between these two is the client's own delay, and a pod that stays is free to
   * end an idle connection. A pod that leaves and says close has to end those that were idle all
   * the time, and a request may cross that (RFC 9112, section 9.5). A new connection goes where the
   * router sends it; a test that connects after the router has left would have been sent elsewhere.
   */
  private static boolean isMetByDelay(Recording run, Exchange lost) {
    Optional<PodHistory.Termination> end = run.pods().get(lost.pod()).termination();
    if (lost.reused()) {
      boolean stays = end.filter(each -> lost.ended() - each.sigterm() >= 0).isEmpty();
      return isEndOfKept(lost)
          && (stays || lost.sent() - lost.started() > CHECKED.toNanos() || isCrossing(run, lost));
    }
    return lost.outcome() == Outcome.REFUSED
        && !lost.detail().startsWith("GOAWAY")
        && end.filter(each -> hasLeft(each.leaves().get(lost.node()), lost.ended())).isPresent();
  }

  /**
   * The pod had told all clients that it could tell: in the half of the time since SIGTERM that was
   * over then, each answer said close, so that no client had kept a connection which it had used.
   */
  private static boolean isCrossing(Recording run, Exchange lost) {
    long sigterm = run.pods().get(lost.pod()).termination().orElseThrow().sigterm();
    long half = lost.sent() - (lost.sent() - sigterm) / 2;
    List<Exchange> answers =
        run.exchanges().stream()
            .filter(each -> each.pod() == lost.pod() && each.outcome() == Outcome.OK)
            .filter(each -> each.sent() - half >= 0 && lost.sent() - each.sent() > 0)
            .toList();
    return lost.sent() - sigterm > 0
        && lost.ended() - lost.sent() <= MET.toNanos()
        && !lost.detail().contains("GOAWAY")
        && !answers.isEmpty()
        && answers.stream().allMatch(Exchange::close);
  }

  /** It ended before a byte of the answer. */
  private static boolean isEndOfKept(Exchange lost) {
    return lost.reused() && (lost.outcome() == Outcome.EOF || lost.outcome() == Outcome.RESET);
  }

  private static boolean hasLeft(long leave, long time) {
    return leave != ClusterNode.NEVER && time - leave > 0;
  }

  private static Optional<String> tooBusy(Recording run) {
    Optional<String> late = lostByTheTest(run);
    if (late.isPresent()) {
      return late;
    }
    return slow(run);
  }

  private static Optional<String> slow(Recording run) {
    Recording.Lateness late = run.lateness();
    if (late.p99() > LATE_P99 || late.max() > LATE_MAX) {
      return Optional.of(
          format(
              "requests were sent late, 1 %% of them more than %.0f ms (bound: %.0f), one %.0f ms"
                  + " (bound: %.0f): this machine cannot send at this rate",
              late.p99(), LATE_P99, late.max(), LATE_MAX));
    }
    if (run.stall() > STALL.toNanos()) {
      return Optional.of(
          format(
              "this machine woke a sleeping thread %.0f ms late (bound: %d): it is too busy",
              run.stall() / 1e6, STALL.toMillis()));
    }
    if (run.slowestProbe() > STARVED.toNanos()) {
      return Optional.of(
          format(
              "the service took %.0f ms to answer about its readiness before SIGTERM (bound: %d):"
                  + " it has too little CPU",
              run.slowestProbe() / 1e6, STARVED.toMillis()));
    }
    return Optional.empty();
  }

  private static Optional<String> sentNothing(Recording run, long preStop) {
    for (PodHistory pod : run.pods()) {
      boolean unseen =
          pod.termination().stream()
              .anyMatch(
                  end ->
                      run.exchanges().stream()
                          .filter(each -> each.pod() == pod.index())
                          .allMatch(each -> each.sent() - end.sigterm() + preStop < 0));
      if (unseen) {
        return Optional.of(
            format(
                "nothing was sent to pod %d after its removal, so nothing could be lost: raise the"
                    + " rate",
                pod.index() + 1));
      }
    }
    return Optional.empty();
  }
}
