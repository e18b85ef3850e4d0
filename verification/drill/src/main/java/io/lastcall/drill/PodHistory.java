package io.lastcall.drill;

import java.util.List;
import java.util.Optional;

/**
 * One pod of a run, in {@link System#nanoTime()} values.
 *
 * @param joined when the nodes began to route to it
 * @param termination how it went; empty for a replacement, which outlives the run
 */
record PodHistory(int index, long joined, Optional<Termination> termination) {

  /**
   * The end of a pod.
   *
   * @param phases when it logged each phase of its shutdown; empty without Lastcall
   * @param leaves by node, when it stopped to route here; {@link ClusterNode#NEVER} for never
   */
  record Termination(
      long sigterm,
      long gone,
      int exitCode,
      boolean killed,
      List<PhaseLog.Mark> phases,
      List<Long> leaves) {

    Termination {
      phases = List.copyOf(phases);
      leaves = List.copyOf(leaves);
    }

    double secondsToExit() {
      return (gone - sigterm) / 1e9;
    }
  }
}
