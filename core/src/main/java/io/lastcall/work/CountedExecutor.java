package io.lastcall.work;

import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An executor whose queued and running tasks are work. */
class CountedExecutor extends AbstractExecutorService {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** What the text of a {@link FutureTask} says of its task, the innermost. */
  private static final Pattern WRAPPED = Pattern.compile(".*task = ([\\w.$/]+)", Pattern.DOTALL);

  private final ExecutorService delegate;
  private final Work work;
  private final WorkControl control;
  private final LateTasks late;

  CountedExecutor(ExecutorService delegate, Work work, WorkControl control, LateTasks late) {
    this.delegate = delegate;
    this.work = work;
    this.control = control;
    this.late = late;
    if (delegate instanceof ThreadPoolExecutor pool) {
      DroppedTasks.releaseIn(pool, work.name());
    }
  }

  @Override
  public void execute(Runnable task) {
    Task counted = count(task);
    try {
      delegate.execute(counted);
    } catch (RuntimeException | Error e) {
      counted.skip(); // the caller knows
      throw e;
    }
  }

  /** Returns the task, counted until it has run. */
  final Task count(Runnable body) {
    Task task = new Task(Objects.requireNonNull(body, "task must not be null"), work);
    if (late == LateTasks.REJECT && isStopping()) {
      throw work.refuse(
          "Executor '%s' takes no task any more: the shutdown has begun".formatted(work.name()));
    }
    return work.admit(task);
  }

  final boolean isStopping() {
    return control.deadline().isPresent();
  }

  final Work work() {
    return work;
  }

  /** Returns when the last task begins that is not counted yet and is due before {@code end}. */
  Optional<Duration> awaited(Deadline end) {
    return Optional.empty();
  }

  /**
   * Interrupts what runs and drops what waits; returns the classes of what waited. An executor that
   * only its container may stop, as one of Jakarta EE, throws: that is a WARN.
   */
  final List<String> cut() {
    try {
      return delegate.shutdownNow().stream()
          .filter(Task.class::isInstance)
          .map(waiting -> ((Task) waiting).description())
          .toList();
    } catch (Throwable t) {
      ShutdownLog.warn(log, "Executor '{}' cannot be stopped: its tasks run on", work.name(), t);
      return List.of();
    }
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Runnable body, T value) {
    return new Future<>(body, value);
  }

  @Override
  protected <T> RunnableFuture<T> newTaskFor(Callable<T> body) {
    return new Future<>(body);
  }

  @Override
  public void shutdown() {
    delegate.shutdown();
  }

  @Override
  public List<Runnable> shutdownNow() {
    List<Runnable> waiting = new ArrayList<>();
    for (Runnable each : delegate.shutdownNow()) {
      if (each instanceof Task task) {
        task.skip();
        waiting.add(task.body);
      } else {
        waiting.add(each);
      }
    }
    return waiting;
  }

  @Override
  public boolean isShutdown() {
    return delegate.isShutdown();
  }

  @Override
  public boolean isTerminated() {
    return delegate.isTerminated();
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
    return delegate.awaitTermination(timeout, unit);
  }

  /** Returns the class of the application's task: a framework may have made a future of it. */
  private static String className(Runnable task) {
    if (task instanceof Future<?> future) {
      return future.name;
    }
    if (task.getClass() == FutureTask.class) {
      Matcher wrapped = WRAPPED.matcher(text(task));
      if (wrapped.lookingAt()) {
        return wrapped.group(1);
      }
    }
    return task.getClass().getName();
  }

  /** Returns the text of a future, which asks the application's task for its own. */
  private static String text(Runnable future) {
    try {
      return future.toString();
    } catch (RuntimeException | Error e) {
      return "";
    }
  }

  /** One task, counted from its submission to its end. */
  static final class Task extends Work.Unit implements Runnable {
    private final Runnable body;

    private Task(Runnable body, Work work) {
      super("", work, null);
      this.body = body;
    }

    /** Made when a report asks: a text of the application's for each task may cost anything. */
    @Override
    protected String description() {
      return className(body);
    }

    @Override
    public void run() {
      runsOn(Thread.currentThread());
      try {
        body.run();
      } finally {
        release();
      }
    }
  }

  /** A task that was submitted, which goes by the name of its body. */
  private static final class Future<T> extends FutureTask<T> {
    private final String name;

    Future(Callable<T> body) {
      super(body);
      name = body.getClass().getName();
    }

    Future(Runnable body, T value) {
      super(body, value);
      name = body.getClass().getName();
    }
  }
}
