package io.lastcall.report;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;

/**
 * Hears of a shutdown as it happens, and of lame duck before it. All calls come from one thread of
 * the library's, in order, and beside the sequence: a listener that is slow or throws changes
 * nothing, and is not waited for longer than EXIT allows.
 */
public interface ShutdownListener {

  /**
   * Lame duck is on or off again: readiness fails or comes back without a shutdown. As often as
   * somebody says so.
   */
  default void lameDuck(boolean on) {}

  /** A shutdown has begun. */
  default void began(Trigger trigger) {}

  /** A phase begins. */
  default void phaseStarted(Phase phase) {}

  /** A step has ended, or timed out: steps of one phase in the order in which they do. */
  default void stepEnded(StepReport report) {}

  /** A phase has ended. */
  default void phaseEnded(PhaseReport report) {}

  /** The sequence is over; the process exits next. */
  default void completed(ShutdownReport report) {}
}
