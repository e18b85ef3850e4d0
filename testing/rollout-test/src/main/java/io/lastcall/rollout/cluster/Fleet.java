package io.lastcall.rollout.cluster;

import java.io.IOException;

/** Makes the pods of a rollout. Used by the rollout's thread. */
public interface Fleet {
  /** Starts a process, and does not wait for it. */
  Pod start(int index) throws IOException;

  /** Looks at a pod's readiness; the default does not. */
  default Probing probing(Pod pod) {
    return Probing.none();
  }

  /**
   * Waits until it serves.
   *
   * @throws IllegalStateException if it does not
   */
  void awaitReady(Pod pod) throws InterruptedException;

  /**
   * Tries it, once all are ready.
   *
   * @throws IllegalStateException if it does not answer as it should
   */
  void rehearse(Pod pod);
}
