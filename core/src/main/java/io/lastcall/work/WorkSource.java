package io.lastcall.work;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Something that takes work from elsewhere: a consumer of messages, a poller, a scheduler. Register
 * it by {@code GracefulShutdown.workSource}. Each method is called at most once, on a thread of the
 * library's that may block; what it throws is in the report, and the shutdown goes on.
 *
 * <p>Most are a stop, and a way to know that what was taken is done:
 *
 * <pre>{@code
 * shutdown.workSource("jobs", WorkSource.ofBlockingStop(scheduler::stop));
 * shutdown.workSource("rows", WorkSource.of(poller::stop, poller::isInARow));
 * shutdown.workSource("cron", WorkSource.ofCounted(quartz::standby, () -> executing().size()));
 * shutdown.workSource("orders", container::stop); // each order is counted by Work.begin
 * }</pre>
 */
public interface WorkSource {

  /** Has a taker take nothing any more. */
  @FunctionalInterface
  interface Stop {
    /**
     * Stops it.
     *
     * @throws Exception recorded in the report
     */
    void run() throws Exception;
  }

  /**
   * Returns a source whose stop takes nothing from its first line on, and returns when what was
   * taken is done. When DRAIN has timed out, the thread that stops it is interrupted; nothing is
   * handed back.
   */
  static WorkSource ofBlockingStop(Stop stop) {
    return new StoppedSource(stop, true, () -> 0);
  }

  /**
   * Returns a source that takes nothing once its stop has returned, and is done when {@code
   * working} returns false. It is asked every 10 ms from then on, on a thread of the library's. It
   * must not be false between two pieces that are both taken.
   */
  static WorkSource of(Stop stop, BooleanSupplier working) {
    Objects.requireNonNull(working, "working must not be null");
    return new StoppedSource(stop, false, () -> working.getAsBoolean() ? -1 : 0);
  }

  /**
   * As {@link #of}, for a taker that says how many pieces are in progress: the report has the
   * number of those that DRAIN has not seen end.
   */
  static WorkSource ofCounted(Stop stop, LongSupplier inProgress) {
    return new StoppedSource(stop, false, inProgress);
  }

  /**
   * Takes nothing any more; what was taken goes on. Called at the trigger, concurrently with all
   * other sources, while requests are still served.
   *
   * @throws Exception recorded in the report; {@link #finished} is called all the same
   */
  void stopTaking() throws Exception;

  /**
   * Returns a stage that completes when everything that was taken is done and acknowledged. Called
   * after {@link #stopTaking}; DRAIN waits for the stage. The default is a completed one, for work
   * that is counted as {@link Work}.
   */
  default CompletionStage<?> finished() {
    return CompletableFuture.completedFuture(null);
  }

  /**
   * Returns what was taken and not finished to where it came from, so that another process can take
   * it. Called when DRAIN has timed out and {@link #finished} is not complete, before anything is
   * interrupted.
   *
   * @return whether something was handed back: then the process exits with 75 (EX_TEMPFAIL) instead
   *     of 80. The default does nothing, and returns false
   * @throws Exception recorded in the report
   */
  default boolean handBack() throws Exception {
    return false;
  }
}
