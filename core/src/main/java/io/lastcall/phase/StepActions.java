package io.lastcall.phase;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Waits for stages and stops executors, within a step. */
final class StepActions {
  private StepActions() {}

  /** Waits for a stage until the step's deadline. */
  static void await(Supplier<? extends CompletionStage<?>> supplier, StepContext context)
      throws Exception {
    // A stage may refuse toCompletableFuture().
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    supplier
        .get()
        .whenComplete(
            (result, failure) -> {
              if (failure == null) {
                done.complete(true);
              } else {
                done.completeExceptionally(failure);
              }
            });
    try {
      done.get(remaining(context), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw cause(e);
    } catch (TimeoutException e) {
      throw new TimeoutException("The CompletionStage is not complete at the step's deadline");
    }
  }

  private static Exception cause(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause(); // a dependent stage wraps the failure once more
    }
    return cause instanceof Exception exception ? exception : e;
  }

  /** Shuts an executor down and waits for its tasks; at the deadline they are interrupted. */
  static void stop(ExecutorService executor, StepContext context)
      throws InterruptedException, TimeoutException {
    executor.shutdown();
    if (executor instanceof ScheduledThreadPoolExecutor scheduled) {
      cancelTooLate(scheduled, context);
    }
    try {
      if (awaitEnd(executor, remaining(context))) {
        return;
      }
    } finally {
      if (!executor.isTerminated()) {
        executor.shutdownNow();
      }
    }
    throw new TimeoutException(
        "Tasks had not ended at the step's deadline: running tasks were interrupted, waiting ones"
            + " dropped");
  }

  /** Without this a task that is due in an hour would hold the executor for an hour. */
  private static void cancelTooLate(ScheduledThreadPoolExecutor executor, StepContext context) {
    for (Runnable task : executor.getQueue()) {
      if (task instanceof RunnableScheduledFuture<?> delayed
          && delayed.getDelay(TimeUnit.NANOSECONDS) > remaining(context)) {
        delayed.cancel(false);
        executor.remove(delayed);
      }
    }
  }

  /** The common pool never terminates: it is awaited until it is idle. */
  private static boolean awaitEnd(ExecutorService executor, long nanos)
      throws InterruptedException {
    return executor == ForkJoinPool.commonPool()
        ? ForkJoinPool.commonPool().awaitQuiescence(nanos, TimeUnit.NANOSECONDS)
        : executor.awaitTermination(nanos, TimeUnit.NANOSECONDS);
  }

  private static long remaining(StepContext context) {
    return context.deadline().remaining().toNanos();
  }
}
