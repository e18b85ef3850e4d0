package io.lastcall.plan;

/** How the plan and the report stand in the log. Each is one event in either form. */
public enum ReportLog {
  /**
   * The plan as a table, and the report in at most six lines: outcome, phases, requests, problems,
   * advice. The default.
   */
  LINES,
  /** Each in one line, for collectors that take each line for an event. */
  ONE_LINE
}
