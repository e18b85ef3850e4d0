package io.lastcall.phase;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * Something a service does in one phase of its shutdown. Steps of one phase and one order run
 * concurrently; lower orders first. Immutable.
 *
 * @param phase when it runs
 * @param name how logs and the report call it
 * @param order lower runs first; default 0
 * @param timeout when it is interrupted; default: the end of its phase, less an even share of the
 *     time for each order behind its own. In KEEP_SERVING and FAIL_READINESS, which end by the
 *     clock, steps that still run hold up DRAIN, for at most half of the time it would have; those
 *     of KEEP_SERVING for a quarter
 * @param action what it does
 */
public record Step(
    Phase phase, String name, int order, Optional<Duration> timeout, StepAction action) {

  /**
   * @throws NullPointerException if anything is null, naming the step and what is missing
   * @throws IllegalArgumentException if the timeout is not positive or longer than a week, or the
   *     name is blank or holds control characters
   */
  public Step {
    Objects.requireNonNull(name, "A step's name must not be null");
    if (name.isBlank()) {
      throw new IllegalArgumentException("A step's name must not be blank");
    }
    if (name.chars().anyMatch(Character::isISOControl)) {
      // One line of the log each, and of the report's table.
      throw new IllegalArgumentException(
          "A step's name '" + name + "' must not hold control characters");
    }
    Objects.requireNonNull(phase, () -> "Step '" + name + "': phase must not be null");
    Objects.requireNonNull(timeout, () -> "Step '" + name + "': timeout must not be null");
    Objects.requireNonNull(action, () -> "Step '" + name + "': action must not be null");
    timeout
        .filter(
            limit -> limit.isNegative() || limit.isZero() || limit.compareTo(Deadline.LONGEST) > 0)
        .ifPresent(
            limit -> {
              throw new IllegalArgumentException(
                  "Step '"
                      + name
                      + "': timeout "
                      + limit
                      + " must be more than zero and at most a week");
            });
  }

  /** Returns a step of order 0 that may run until its phase ends. */
  public static Step of(Phase phase, String name, StepAction action) {
    return new Step(phase, name, 0, Optional.empty(), action);
  }

  /** Returns a step that closes something, such as a pool of connections. */
  public static Step closing(Phase phase, String name, AutoCloseable closeable) {
    Objects.requireNonNull(closeable, () -> "Step '" + name + "': closeable must not be null");
    return of(phase, name, context -> closeable.close());
  }

  /**
   * Returns a step that shuts an executor down and waits for its tasks. At the step's deadline
   * running tasks are interrupted and waiting ones dropped. Delayed tasks of a {@link
   * java.util.concurrent.ScheduledThreadPoolExecutor} that are due after the deadline are cancelled
   * at once. The common pool, which cannot be shut down, is awaited until it is idle.
   */
  public static Step stopping(Phase phase, String name, ExecutorService executor) {
    Objects.requireNonNull(executor, () -> "Step '" + name + "': executor must not be null");
    return of(phase, name, context -> StepActions.stop(executor, context));
  }

  /**
   * Returns a step that waits for a stage.
   *
   * @param start called when the step runs
   */
  public static Step awaiting(
      Phase phase, String name, Supplier<? extends CompletionStage<?>> start) {
    Objects.requireNonNull(start, () -> "Step '" + name + "': start must not be null");
    return of(phase, name, context -> StepActions.await(start, context));
  }

  /** Returns this step with another order; default 0, lower runs first. */
  public Step withOrder(int newOrder) {
    return new Step(phase, name, newOrder, timeout, action);
  }

  /**
   * Returns this step with a timeout, which may go on to the end of its phase.
   *
   * @throws NullPointerException if the timeout is null, naming the step
   * @throws IllegalArgumentException if it is not positive or longer than a week
   */
  public Step withTimeout(Duration newTimeout) {
    Objects.requireNonNull(newTimeout, () -> "Step '" + name + "': timeout must not be null");
    return new Step(phase, name, order, Optional.of(newTimeout), action);
  }
}
