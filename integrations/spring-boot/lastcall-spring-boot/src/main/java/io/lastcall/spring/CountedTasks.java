package io.lastcall.spring;

import io.lastcall.inflight.Permit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ExecutorServiceAdapter;
import org.springframework.util.function.SingletonSupplier;

/**
 * Counts the tasks of one of Spring's executors. As its decorator: that is next to the pool, so no
 * way to submit a task goes past it, and the bean stays what it is.
 */
final class CountedTasks implements TaskDecorator {
  private final @Nullable TaskDecorator own;
  private final Supplier<ExecutorService> counting;

  /** What the library's executor passes on is not run but given to Spring's. */
  private static final ThreadLocal<@Nullable Runnable> counted = new ThreadLocal<>();

  /** Of a thread that runs such a task. */
  private static final ThreadLocal<@Nullable CountedTasks> running = new ThreadLocal<>();

  /**
   * @param name the executor's, for logs and the report
   * @param own the application's own decorator
   * @param interrupt ends what still runs when DRAIN has timed out
   */
  CountedTasks(
      ProcessShutdown process, String name, @Nullable TaskDecorator own, Runnable interrupt) {
    this.own = own;
    ExecutorService delegate =
        new ExecutorServiceAdapter(counted::set) {
          @Override
          public List<Runnable> shutdownNow() {
            interrupt.run();
            return List.of();
          }
        };
    // Not before the first task: the report has a line for each, and many are never used.
    counting = SingletonSupplier.of(() -> process.executor(name, delegate));
  }

  /** Returns whether what this thread runs is counted as a task of an executor's. */
  static boolean isRunning() {
    return running.get() != null;
  }

  /** Counts it from now to its end. */
  @Override
  public Runnable decorate(Runnable task) {
    return new Submitted(count(marked(byOwn(task))));
  }

  /** Counts each of its runs; there is none once DRAIN has ended. */
  Runnable eachRun(Runnable task) {
    Runnable decorated = marked(byOwn(task));
    return () -> {
      Runnable run;
      try {
        run = count(decorated);
      } catch (RejectedExecutionException afterDrain) {
        return;
      }
      run.run();
    };
  }

  private Runnable byOwn(Runnable task) {
    return own == null ? task : own.decorate(task);
  }

  private Runnable marked(Runnable task) {
    return () -> {
      running.set(this);
      try {
        task.run();
      } finally {
        running.remove();
      }
    };
  }

  private Runnable count(Runnable task) {
    counting.get().execute(task);
    Runnable taken = Objects.requireNonNull(counted.get());
    counted.remove();
    return taken;
  }

  /** Has tasks that a pool rejects not be waited for, whatever the application does with them. */
  static void releaseRejected(ThreadPoolExecutor pool) {
    var own = pool.getRejectedExecutionHandler();
    pool.setRejectedExecutionHandler(
        (task, rejecting) -> {
          Runnable oldest = own instanceof DiscardOldestPolicy ? rejecting.getQueue().peek() : null;
          try {
            own.rejectedExecution(task, rejecting);
          } finally {
            releaseIfDropped(task, rejecting);
            releaseIfDropped(oldest, rejecting);
          }
        });
  }

  private static void releaseIfDropped(@Nullable Runnable task, ThreadPoolExecutor pool) {
    if (task instanceof Submitted submitted
        && !submitted.begun
        && !pool.getQueue().contains(submitted)
        && submitted.task instanceof Permit permit) {
      permit.release();
    }
  }

  /** A task, which may never run. */
  private static final class Submitted implements Runnable {
    private final Runnable task;
    private volatile boolean begun;

    private Submitted(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      begun = true;
      task.run();
    }
  }
}
