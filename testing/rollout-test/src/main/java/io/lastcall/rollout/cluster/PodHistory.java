package io.lastcall.rollout.cluster;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One pod of a run, in {@link System#nanoTime()} values.
 *
 * @param joined when the nodes began to route to it
 * @param startNanos from the start of its process until it was ready; 0 where nobody measured
 * @param termination how it went; empty for a replacement, which outlives the run
 */
public record PodHistory(
    int index, long joined, long startNanos, Optional<Termination> termination) {

  /**
   * The end of a pod.
   *
   * @param phases when it logged each phase of its shutdown; empty without Lastcall
   * @param leaves by node, when it stopped to route here; {@link ClusterNode#NEVER} for never
   */
  public record Termination(
      long sigterm,
      long gone,
      int exitCode,
      boolean killed,
      List<PhaseLog.Mark> phases,
      List<Long> leaves,
      Evidence evidence) {

    public Termination {
      phases = List.copyOf(phases);
      leaves = List.copyOf(leaves);
    }

    public double secondsToExit() {
      return (gone - sigterm) / 1e9;
    }

    /** When the last node leaves, of those that ever do. */
    public long lastLeave() {
      return leaves.stream()
          .filter(leave -> leave != ClusterNode.NEVER)
          .reduce(sigterm, (left, right) -> left - right > 0 ? left : right);
    }
  }

  /**
   * What else was seen of a pod that ended.
   *
   * @param process what its first process was
   * @param delivered whether it got SIGTERM; not where the kernel would have dropped it
   * @param notReady when its readiness failed first after SIGTERM, by an answer
   * @param refusing when it began to refuse connections after SIGTERM
   * @param lastWords its log since SIGTERM
   */
  public record Evidence(
      ProcessFacts process,
      boolean delivered,
      OptionalLong notReady,
      OptionalLong refusing,
      List<String> lastWords) {
    /** Nobody looked. */
    public static final Evidence NONE =
        new Evidence(
            new ProcessFacts("", true, true, List.of(), false),
            true,
            OptionalLong.empty(),
            OptionalLong.empty(),
            List.of());

    public Evidence {
      lastWords = List.copyOf(lastWords);
    }
  }
}
