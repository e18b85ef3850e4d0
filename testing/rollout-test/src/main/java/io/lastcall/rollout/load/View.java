package io.lastcall.rollout.load;

/** The endpoints that a client's node sees. Thread-safe. */
@FunctionalInterface
public interface View {
  /**
   * Picks the pod of a new connection.
   *
   * @param choice a point of the unit interval
   * @param now {@link System#nanoTime()}
   */
  int pick(double choice, long now);
}
