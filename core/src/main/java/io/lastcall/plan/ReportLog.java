package io.lastcall.plan;

/** How the report stands in the log. It is one event in either form. */
public enum ReportLog {
  /** In at most six lines: outcome, phases, requests, problems, advice. The default. */
  LINES,
  /** The same in one line, for collectors that take each line for an event. */
  ONE_LINE
}
