package io.lastcall.report;

import io.lastcall.phase.Trigger;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a shutdown did, from the trigger to just before the exit. Immutable.
 *
 * @param trigger what began it
 * @param took from the trigger to this report
 * @param phases the phases, in their order
 * @param steps the steps, in the order they ended
 * @param requests the requests
 * @param connectionsClosed the long-lived connections that were ended, by kind
 * @param connectionsAbandoned the long-lived connections that were still open at the end
 * @param outcome clean or not
 * @param exitCode what the process exits with, unless somebody else's {@code System.exit} chose
 */
public record ShutdownReport(
    Trigger trigger,
    Duration took,
    List<PhaseReport> phases,
    List<StepReport> steps,
    RequestTotals requests,
    Map<String, Long> connectionsClosed,
    long connectionsAbandoned,
    Outcome outcome,
    int exitCode) {

  /** Makes the collections unmodifiable. */
  public ShutdownReport {
    phases = List.copyOf(phases);
    steps = List.copyOf(steps);
    connectionsClosed = Map.copyOf(connectionsClosed);
  }

  /** Returns the report in one line, for the log and the termination message. */
  public String summary() {
    StringBuilder line = new StringBuilder();
    line.append(outcome == Outcome.CLEAN ? "clean" : "incomplete")
        .append(" after ")
        .append(took.toMillis())
        .append(" ms (")
        .append(trigger.reason())
        .append("), exit code ")
        .append(exitCode)
        .append("; requests served ")
        .append(requests.served())
        .append(", late ")
        .append(requests.late())
        .append(", refused ")
        .append(requests.refused())
        .append(", abandoned ")
        .append(requests.abandoned());
    requests
        .lastArrival()
        .ifPresent(
            last -> line.append("; last new request after ").append(last.toMillis()).append(" ms"));
    if (!connectionsClosed.isEmpty() || connectionsAbandoned > 0) {
      line.append("; connections closed ").append(connectionsClosed);
      line.append(", abandoned ").append(connectionsAbandoned);
    }
    phases.stream()
        .filter(phase -> !phase.complete())
        .forEach(phase -> line.append("; ").append(phase.phase()).append(" incomplete"));
    steps.stream()
        .filter(step -> step.result() != Result.COMPLETED)
        .forEach(
            step -> line.append("; step ").append(step.name()).append(' ').append(words(step)));
    return line.toString();
  }

  private static String words(StepReport step) {
    return step.result() == Result.TIMED_OUT
        ? "timed out"
        : "failed: " + step.failure().map(Throwable::toString).orElse("");
  }
}
