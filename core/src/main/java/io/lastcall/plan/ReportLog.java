package io.lastcall.plan;

/** How the report stands in the log, which is one event. */
public enum ReportLog {
  /** In at most six lines: outcome, phases, requests, what went wrong, advice. The default. */
  LINES,
  /** The same in one line, for collectors that take each line for an event. */
  ONE_LINE
}
