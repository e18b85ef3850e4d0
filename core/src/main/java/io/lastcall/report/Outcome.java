package io.lastcall.report;

/** How a shutdown ended. */
public enum Outcome {
  /** Every request was answered, every step and phase ended in time. */
  CLEAN,
  /** Something timed out, failed or was abandoned; the report says what. */
  INCOMPLETE,
  /** The process was halted at the deadline; only records in files say so. */
  HALTED
}
