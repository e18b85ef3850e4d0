package io.lastcall.report;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;

/**
 * Hears of a shutdown as it happens. All calls come from one thread of the library's, in order, and
 * beside the sequence: a listener that is slow or throws changes nothing, and is not waited for
 * longer than EXIT allows.
 */
public interface ShutdownListener {

  /** A shutdown has begun. */
  default void began(Trigger trigger) {}

  /** A phase begins. */
  default void phaseStarted(Phase phase) {}

  /** A phase has ended. */
  default void phaseEnded(PhaseReport report) {}

  /** The sequence is over; the process exits next. */
  default void completed(ShutdownReport report) {}
}
