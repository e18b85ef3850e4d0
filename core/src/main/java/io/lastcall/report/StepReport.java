package io.lastcall.report;

import io.lastcall.phase.Phase;
import io.lastcall.text.Words;
import java.time.Duration;
import java.util.Optional;

/**
 * How one step went.
 *
 * @param phase the phase it ran in
 * @param name its name
 * @param order its order within the phase
 * @param began from the trigger to its start
 * @param took how long it ran, or until the sequence went on without it
 * @param result how it ended
 * @param failure the exception, if it threw one in time
 */
public record StepReport(
    Phase phase,
    String name,
    int order,
    Duration began,
    Duration took,
    Result result,
    Optional<Throwable> failure) {

  /** Returns the failure in words, on one line of at most about 500 characters. */
  public Optional<String> failureText() {
    return failure.map(thrown -> ReportText.oneLine(Words.of(thrown)));
  }

  /** How a step ended. */
  public enum Result {
    /** It returned. */
    COMPLETED,
    /** It threw. */
    FAILED,
    /** It was interrupted at its deadline, or threw after it. */
    TIMED_OUT
  }
}
