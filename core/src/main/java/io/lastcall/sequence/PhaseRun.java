package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.time.Deadline;
import java.util.Optional;

/** One phase of one shutdown, run by the shutdown's thread. */
public interface PhaseRun {

  /** Returns which phase this is. */
  Phase phase();

  /** Returns when the phase must end. Asked when it begins, since its timeout counts from then. */
  Deadline deadline();

  /** Returns the log's line about what the phase is about to do, if that is worth a line. */
  Optional<String> describe(Deadline end);

  /** Does it; returns whether all of it was done in time. */
  boolean run(Deadline end);

  /** Called in place of the rest of {@link #run} where that failed: gives requests their time. */
  default void recover(Deadline end) {}
}
