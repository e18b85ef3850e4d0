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
 *     time for each later order. KEEP_SERVING and FAIL_READINESS end by the clock: their steps may
 *     run on and delay DRAIN, by at most a quarter and half of its time
 * @param action what it does
 */
public record Step(
    Phase phase, String name, int order, Optional<Duration> timeout, StepAction action) {

  /**
   * Checks the parts.
   *
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
    require(name, "phase", phase);
    require(name, "timeout", timeout);
    require(name, "action", action);
    if (timeout.isPresent()
        && (timeout.get().compareTo(Duration.ZERO) <= 0
            || timeout.get().compareTo(Deadline.LONGEST) > 0)) {
      throw new IllegalArgumentException(
          "Step '%s': timeout %s must be more than zero and at most a week"
              .formatted(name, timeout.get()));
    }
  }

  private static void require(String name, String part, Object value) {
    Objects.requireNonNull(value, () -> "Step '%s': %s must not be null".formatted(name, part));
  }

  /** Returns a step of order 0 that may run until its phase ends. */
  public static Step of(Phase phase, String name, StepAction action) {
    return new Step(phase, name, 0, Optional.empty(), action);
  }

  /** Returns a step that closes something, such as a pool of connections. */
  public static Step closing(Phase phase, String name, AutoCloseable closeable) {
    require(name, "closeable", closeable);
    return of(phase, name, context -> closeable.close());
  }

  /**
   * Returns a step that shuts an executor down and waits for its tasks. At the step's deadline
   * running tasks are interrupted and waiting ones dropped. Delayed tasks of a {@link
   * java.util.concurrent.ScheduledThreadPoolExecutor} that are due after the deadline are cancelled
   * at once. The common pool, which cannot be shut down, is awaited until it is idle.
   */
  public static Step stopping(Phase phase, String name, ExecutorService executor) {
    require(name, "executor", executor);
    return of(phase, name, context -> StepActions.stop(executor, context));
  }

  /**
   * Returns a step that waits for a stage.
   *
   * @param start called when the step runs
   */
  public static Step awaiting(
      Phase phase, String name, Supplier<? extends CompletionStage<?>> start) {
    require(name, "start", start);
    return of(phase, name, context -> StepActions.await(start, context));
  }

  /** Returns this step with another order; default 0, lower runs first. */
  public Step withOrder(int newOrder) {
    return new Step(phase, name, newOrder, timeout, action);
  }

  /**
   * Returns this step with a timeout, which ends with its phase at the latest.
   *
   * @throws NullPointerException if the timeout is null, naming the step
   * @throws IllegalArgumentException if it is not positive or longer than a week
   */
  public Step withTimeout(Duration newTimeout) {
    require(name, "timeout", newTimeout);
    return new Step(phase, name, order, Optional.of(newTimeout), action);
  }
}
