package io.lastcall.report;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a shutdown did, from the trigger to just before the exit. Immutable.
 *
 * @param trigger what began it
 * @param began when, by the wall clock: to find it in logs, not to calculate with
 * @param took from the trigger to this report
 * @param phases the phases, in their order
 * @param steps the steps, by phase, order and deadline
 * @param requests the requests
 * @param unfinished the requests that were running when DRAIN timed out, if it did; at most 100
 * @param connectionsClosed the long-lived connections that were ended, by kind
 * @param connectionsAbandoned the long-lived connections that were still open at the end
 * @param plan what was planned
 * @param outcome clean or not
 * @param exitCode what the process exits with, if it is ours
 * @param exitCodeIsOurs false where somebody else's {@code System.exit}, or the JVM's own, has
 *     chosen it
 */
public record ShutdownReport(
    Trigger trigger,
    Instant began,
    Duration took,
    List<PhaseReport> phases,
    List<StepReport> steps,
    RequestTotals requests,
    List<UnfinishedRequest> unfinished,
    Map<String, Long> connectionsClosed,
    long connectionsAbandoned,
    ShutdownPlan plan,
    Outcome outcome,
    int exitCode,
    boolean exitCodeIsOurs) {

  /** Makes the collections unmodifiable. */
  public ShutdownReport {
    phases = List.copyOf(phases);
    steps = List.copyOf(steps);
    unfinished = List.copyOf(unfinished);
    connectionsClosed = Map.copyOf(connectionsClosed);
  }

  /** Returns what the evidence of this shutdown suggests, most important first. */
  public List<Advice> advice() {
    return new Adviser(this).advice();
  }

  /** Returns the report in one line. */
  public String summary() {
    return new ReportText(this).summary();
  }

  /**
   * Returns the report as aligned text: the summary, then phases, steps and advice, a line each.
   */
  public String table() {
    return new ReportTable(this).text();
  }

  /**
   * Returns what {@code kubectl describe pod} shall show: the outcome, what was late or stuck, the
   * advice, and then the rest. What is written of it is cut to the 4096 bytes that a kubelet takes.
   */
  public String terminationMessage() {
    return new ReportText(this).terminationMessage();
  }

  /** Returns the report as JSON; {@code docs/report.md} describes it. */
  public String json() {
    return ReportJson.of(this);
  }

  /** Returns what stands where {@link #json()} will, while there is no report yet. */
  public static String unfinishedJson() {
    return ReportJson.unfinished();
  }
}
