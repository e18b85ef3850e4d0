package io.lastcall.rollout.cluster;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * A pod's part in a rollout: when the nodes began to route to it, and when each stops. Used by the
 * rollout's thread.
 */
final class Member {
  private final Pod pod;
  private final Probing probing;
  private boolean routed;
  private long joined;
  private long startNanos;
  private boolean delivered = true;
  private ProcessFacts facts = PodHistory.Evidence.NONE.process();
  private List<Long> leaves = List.of();

  /**
   * @param probing looks at its readiness, from when it is ready
   */
  Member(Pod pod, Probing probing) {
    this.pod = pod;
    this.probing = probing;
  }

  Pod pod() {
    return pod;
  }

  Probing probing() {
    return probing;
  }

  /** It answers. */
  void ready() {
    startNanos = System.nanoTime() - pod.started();
    probing.start();
  }

  void joined(long time) {
    routed = true;
    joined = time;
  }

  void terminating(List<Long> leaveTimes, ProcessFacts process, boolean signalled) {
    leaves = List.copyOf(leaveTimes);
    facts = process;
    delivered = signalled;
  }

  boolean isGone() {
    return isTerminating() && pod.exit().isDone();
  }

  private boolean isTerminating() {
    return !leaves.isEmpty();
  }

  /** One word for the line of progress. */
  String state() {
    if (!routed) {
      return "waits";
    }
    if (!isTerminating()) {
      return "serves";
    }
    return isGone() ? "gone" : "terminates";
  }

  /** Refuses to go on with a pod that ended without being told to. */
  void check() {
    if (!isTerminating() && !pod.isAlive()) {
      throw new IllegalStateException(
          "pod %d died unasked; see %s".formatted(pod.index() + 1, pod.log()));
    }
  }

  PodHistory history() throws IOException, InterruptedException {
    if (!isTerminating()) {
      return new PodHistory(pod.index(), joined, startNanos, Optional.empty());
    }
    try {
      Pod.Exit exit = pod.exit().get();
      PodHistory.Evidence evidence =
          new PodHistory.Evidence(
              facts,
              delivered,
              probing.failedAfter(exit.sigterm()),
              probing.refusedAfter(exit.sigterm()),
              pod.lastWords());
      return new PodHistory(
          pod.index(),
          joined,
          startNanos,
          Optional.of(
              new PodHistory.Termination(
                  exit.sigterm(),
                  exit.gone(),
                  exit.code(),
                  exit.killed(),
                  pod.phases(),
                  leaves,
                  evidence)));
    } catch (ExecutionException e) {
      throw new IOException("the exit of pod " + (pod.index() + 1) + " was missed", e);
    }
  }
}
