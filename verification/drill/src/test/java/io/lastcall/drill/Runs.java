package io.lastcall.drill;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.PhaseLog;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.PodPhase;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.List;
import java.util.Optional;

/**
 * Small made-up runs: pod 0 gets SIGTERM at second 10 and is gone at 14, pod 1 is its replacement.
 */
final class Runs {
  static final long SECOND = 1_000_000_000L;
  static final long SIGTERM = 10 * SECOND;
  static final long GONE = 14 * SECOND;

  static final int CLEAN = 0;
  static final int CUT_SHORT = 80;
  static final int SIGKILLED = 137;
  static final int SIGTERMED = 143;

  private Runs() {}

  /** A request of the given node to pod 0. */
  static Exchange exchange(int node, long sent, Outcome outcome) {
    long ended = sent + SECOND / 10;
    return new Exchange(
        node,
        0,
        RequestKind.FAST.label(),
        true,
        false,
        sent - 3_000_000,
        sent - 1_000_000,
        sent,
        ended,
        outcome,
        outcome == Outcome.OK ? 200 : 0,
        outcome == Outcome.OK,
        outcome == Outcome.OK ? "" : "<detail>");
  }

  static RunResult run(Mode mode, DrillSettings settings, int exitCode, Exchange... exchanges) {
    PodHistory.Termination end =
        new PodHistory.Termination(
            SIGTERM,
            GONE,
            exitCode,
            exitCode == SIGKILLED,
            List.of(
                new PhaseLog.Mark(PodPhase.KEEP_SERVING, SIGTERM + SECOND / 100),
                new PhaseLog.Mark(PodPhase.DRAIN, SIGTERM + 3 * SECOND)),
            List.of(
                SIGTERM + SECOND,
                settings.neverLeave() > 0 ? ClusterNode.NEVER : SIGTERM + 2 * SECOND),
            PodHistory.Evidence.NONE);
    return new RunResult(
        "tomcat",
        mode,
        1,
        settings,
        new Recording(
            settings.nodes(),
            List.of(exchanges),
            List.of(
                new PodHistory(0, 8 * SECOND, 0, Optional.of(end)),
                new PodHistory(1, SIGTERM, 0, Optional.empty())),
            0,
            0));
  }

  static DrillSettings settings(String... more) {
    String[] options = new String[more.length + 2];
    options[0] = "--servers=tomcat";
    options[1] = "--nodes=2";
    System.arraycopy(more, 0, options, 2, more.length);
    return CommandLine.parse(options);
  }
}
