package io.lastcall.work;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Something that takes work from elsewhere: a consumer of messages, a poller, a scheduler. Register
 * it by {@code GracefulShutdown.workSource}. Each method is called at most once, on a thread of the
 * library's that may block; what it throws is in the report, and the shutdown goes on.
 */
public interface WorkSource {

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
