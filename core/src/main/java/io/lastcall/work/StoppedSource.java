package io.lastcall.work;

import io.lastcall.process.Threads;
import io.lastcall.text.Words;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A source that is a stop and a question: how much of what was taken is in progress. No taker tells
 * of its last piece by itself, so a thread asks again and again, from the stop on until it is done.
 */
final class StoppedSource implements WorkSource {
  /** Between two questions: a tenth of what the exit of an idle process may take. */
  private static final Duration AGAIN = Duration.ofMillis(10);

  private final Stop stop;
  private final boolean blocks;
  private final LongSupplier inProgress;
  private final CompletableFuture<@Nullable Void> finished = new CompletableFuture<>();
  private volatile boolean timedOut;
  private volatile @Nullable Thread waiter;

  /**
   * @param blocks whether the stop returns only when what was taken is done, so that nothing may
   *     wait for it but DRAIN
   * @param inProgress returns how many pieces are in progress; -1 where nothing counts them
   */
  StoppedSource(Stop stop, boolean blocks, LongSupplier inProgress) {
    this.stop = Objects.requireNonNull(stop, "stop must not be null");
    this.blocks = blocks;
    this.inProgress = Objects.requireNonNull(inProgress, "inProgress must not be null");
  }

  @Override
  public void stopTaking() throws Exception {
    Thread thread = Threads.daemon("await-source", this::await);
    waiter = thread;
    try {
      if (!blocks) {
        stop.run();
      }
    } finally {
      if (!Threads.start(thread)) {
        await(); // at the process's limit of threads
      }
    }
  }

  private void await() {
    try {
      if (blocks) {
        stop.run();
      }
      while (!timedOut && inProgress.getAsLong() != 0) {
        LockSupport.parkNanos(this, AGAIN.toNanos());
      }
      if (!timedOut) {
        finished.complete(null);
      }
    } catch (Throwable t) {
      finished.completeExceptionally(t);
    }
  }

  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  /** Hands nothing back, but has the report say how much is left. */
  @Override
  public boolean handBack() {
    timedOut = true;
    finished.completeExceptionally(new IllegalStateException(left()));
    Thread thread = waiter;
    if (thread != null) {
      thread.interrupt();
    }
    return false;
  }

  private String left() {
    try {
      long left = inProgress.getAsLong();
      return left <= 0 ? "DRAIN has timed out" : left + " in progress";
    } catch (Throwable t) {
      return "nothing says how much is in progress: " + Words.message(t);
    }
  }
}
