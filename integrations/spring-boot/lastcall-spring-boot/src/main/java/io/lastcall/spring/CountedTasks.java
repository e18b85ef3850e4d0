package io.lastcall.spring;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.Work;
import io.lastcall.work.WorkRefusedException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ExecutorServiceAdapter;
import org.springframework.util.function.SingletonSupplier;

/**
 * Counts the tasks of one of Spring's executors. As its decorator: that is next to the pool, so no
 * way to submit a task goes past it, and the bean stays what it is.
 */
final class CountedTasks implements TaskDecorator {
  private static final Logger log = LoggerFactory.getLogger(CountedTasks.class);

  private final @Nullable TaskDecorator own;
  private final Supplier<ExecutorService> counting;

  /** What the library's executor passes on is not run but given to Spring's. */
  private static final ThreadLocal<@Nullable Runnable> counted = new ThreadLocal<>();

  /** The counted task that a thread runs. */
  private static final ThreadLocal<@Nullable Runnable> running = new ThreadLocal<>();

  /**
   * @param name the executor's, for logs and the report
   * @param own the application's own decorator
   * @param interrupt ends what still runs when DRAIN has timed out, and returns what waits
   */
  CountedTasks(
      ProcessShutdown process,
      String name,
      @Nullable TaskDecorator own,
      Supplier<List<Runnable>> interrupt) {
    this.own = own;
    ExecutorService delegate =
        new ExecutorServiceAdapter(counted::set) {
          @Override
          public List<Runnable> shutdownNow() {
            return interrupt.get().stream()
                .map(waiting -> waiting instanceof Submitted known ? known.task : waiting)
                .toList();
          }
        };
    // Not before the first task: the report has a line for each, and many are never used.
    counting = SingletonSupplier.of(() -> process.executor(name, delegate));
  }

  /** Returns whether what this thread runs is counted as a task of an executor's. */
  static boolean isRunning() {
    return running.get() != null;
  }

  /** Says that the counted task that this thread runs, if it does, has nothing to do. */
  static void skipRun() {
    end(running.get(), Work.Unit::skip);
  }

  private static void end(@Nullable Runnable task, Consumer<Work.Unit> how) {
    if (task instanceof Work.Unit unit) {
      how.accept(unit);
    }
  }

  /** Counts it from now to its end. */
  @Override
  public Runnable decorate(Runnable task) {
    return new Submitted(count(byOwn(task)));
  }

  /**
   * Counts each of its runs. One that is due after DRAIN does not begin, and the report counts it,
   * unless it is periodic: that is no loss, since another process has its own.
   */
  Runnable eachRun(Runnable task) {
    boolean periodic =
        (task instanceof RunnableScheduledFuture<?> known && known.isPeriodic()) || isOfATrigger();
    Runnable decorated = byOwn(task);
    return () -> {
      Runnable run;
      try {
        run = count(decorated);
      } catch (WorkRefusedException afterDrain) {
        if (periodic) {
          afterDrain.handled();
        }
        return;
      }
      run(run);
    };
  }

  /** Of a {@code Trigger} Spring schedules each run by itself, as a task that is due once. */
  private static boolean isOfATrigger() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames.anyMatch(frame -> frame.getClassName().equals(SpringInternals.TRIGGER_RUN)));
  }

  private Runnable byOwn(Runnable task) {
    return own == null ? task : own.decorate(task);
  }

  private static void run(Runnable task) {
    running.set(task);
    try {
      task.run();
    } finally {
      running.remove();
    }
  }

  private Runnable count(Runnable task) {
    counting.get().execute(task);
    Runnable taken = Objects.requireNonNull(counted.get());
    counted.remove();
    return taken;
  }

  /** Has tasks that a pool rejects not be waited for, whatever the application does with them. */
  static void releaseRejected(ThreadPoolExecutor pool, String name) {
    var own = pool.getRejectedExecutionHandler();
    if (own instanceof DiscardPolicy || own instanceof DiscardOldestPolicy) {
      log.warn(
          "Executor '{}': its {} drops tasks when it is full. A task that it drops is not waited"
              + " for, and makes a shutdown incomplete",
          name,
          own.getClass().getSimpleName());
    }
    pool.setRejectedExecutionHandler(
        (task, rejecting) -> {
          Runnable oldest = own instanceof DiscardOldestPolicy ? rejecting.getQueue().peek() : null;
          try {
            own.rejectedExecution(task, rejecting);
          } catch (RuntimeException | Error e) {
            endIfDropped(task, rejecting, Work.Unit::skip); // the caller knows
            throw e;
          }
          endIfDropped(task, rejecting, Work.Unit::drop);
          endIfDropped(oldest, rejecting, Work.Unit::drop);
        });
  }

  private static void endIfDropped(
      @Nullable Runnable task, ThreadPoolExecutor pool, Consumer<Work.Unit> how) {
    if (task instanceof Submitted submitted
        && !submitted.begun
        && !pool.getQueue().contains(submitted)) {
      end(submitted.task, how);
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
      CountedTasks.run(task);
    }
  }
}
