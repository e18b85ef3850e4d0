package io.lastcall.report;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;

/**
 * Is notified of each event of a shutdown, and of being taken out of service before it. All calls
 * come in order from one thread of the library, concurrently with the sequence. A listener that
 * blocks or throws does not stop the sequence, which waits for listeners no longer than EXIT
 * allows.
 */
public interface ShutdownListener {

  /**
   * The process was taken out of service, or is back in it: readiness fails or passes again without
   * a shutdown.
   */
  default void outOfService(boolean on) {}

  /** A shutdown has begun. */
  default void began(Trigger trigger) {}

  /** A phase begins. */
  default void phaseStarted(Phase phase) {}

  /** A step has ended, or timed out: steps of one phase in the order in which they do. */
  default void stepEnded(StepReport report) {}

  /** A phase has ended. */
  default void phaseEnded(PhaseReport report) {}

  /** The sequence has ended; the process exits next. */
  default void completed(ShutdownReport report) {}
}
