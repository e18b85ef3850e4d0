package io.lastcall.report;

import io.lastcall.phase.Phase;
import java.time.Duration;
import java.util.Optional;

/**
 * One step as it went.
 *
 * @param phase the phase it ran in
 * @param name its name
 * @param order its order within the phase
 * @param began from the trigger to its start
 * @param took how long it ran, or until the sequence went on without it
 * @param result how it ended
 * @param failure the exception, if it threw one in time to be seen
 */
public record StepReport(
    Phase phase,
    String name,
    int order,
    Duration began,
    Duration took,
    Result result,
    Optional<Throwable> failure) {

  /** Returns the failure in words: on one line, and at most some 500 characters. */
  public Optional<String> failureText() {
    return failure.map(ReportText::describe);
  }

  /** How a step ended. */
  public enum Result {
    /** It returned. */
    COMPLETED,
    /** It threw. */
    FAILED,
    /** It did not end by its deadline and was interrupted, or it threw behind it. */
    TIMED_OUT
  }
}
