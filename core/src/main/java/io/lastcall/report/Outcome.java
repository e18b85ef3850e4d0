package io.lastcall.report;

/** How a shutdown ended. One that was halted at the deadline has no report, only an exit code. */
public enum Outcome {
  /** Every request was answered, every step and phase ended in time. */
  CLEAN,
  /** Something timed out, failed or was abandoned; the report says what. */
  INCOMPLETE
}
