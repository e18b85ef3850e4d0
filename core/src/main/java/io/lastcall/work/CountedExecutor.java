package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.Permit;
import io.lastcall.time.Deadline;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An executor whose queued and running tasks are work. */
class CountedExecutor extends AbstractExecutorService {
  private final ExecutorService delegate;
  private final Work work;
  private final WorkControl control;
  private final LateTasks late;

  CountedExecutor(ExecutorService delegate, Work work, WorkControl control, LateTasks late) {
    this.delegate = delegate;
    this.work = work;
    this.control = control;
    this.late = late;
  }

  @Override
  public void execute(Runnable task) {
    Task counted = count(task);
    try {
      delegate.execute(counted);
    } catch (RuntimeException | Error e) {
      counted.release();
      throw e;
    }
  }

  /** Returns the task, counted until it has run. */
  final Task count(Runnable task) {
    Task counted = new Task(Objects.requireNonNull(task, "task must not be null"), this);
    if (late == LateTasks.REJECT && isStopping()) {
      throw new RejectedExecutionException(
          "Executor '%s' takes no task any more: the shutdown has begun".formatted(work.name()));
    }
    if (!work.enter(counted)) {
      throw work.refused(counted.description());
    }
    return counted;
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

  /** Interrupts what runs and drops what waits; returns the classes of what waited. */
  final List<String> cut() {
    List<String> waiting =
        work.control().running().stream()
            .filter(task -> task.thread().isEmpty())
            .map(InFlightRequest::description)
            .toList();
    delegate.shutdownNow();
    return waiting;
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
        task.release();
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

  private static String className(Runnable task) {
    return task instanceof Future<?> future ? future.toString() : task.getClass().getName();
  }

  /** One task, counted from its submission to its end. */
  static final class Task extends Permit implements Runnable {
    private static final VarHandle THREAD;

    static {
      try {
        THREAD = MethodHandles.lookup().findVarHandle(Task.class, "thread", Thread.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    private final Runnable body;
    private final CountedExecutor executor;
    private final long submitted;

    @SuppressWarnings("unused") // through THREAD
    private @Nullable Thread thread;

    private Task(Runnable body, CountedExecutor executor) {
      this.body = body;
      this.executor = executor;
      submitted = executor.work.ticker().read();
    }

    @Override
    public void run() {
      THREAD.setRelease(this, Thread.currentThread()); // a volatile write costs as much as a count
      try {
        body.run();
      } finally {
        release();
      }
    }

    @Override
    protected String description() {
      return className(body);
    }

    @Override
    protected Optional<Duration> age() {
      return Optional.of(Duration.ofNanos(executor.work.ticker().read() - submitted));
    }

    @Override
    protected Optional<Thread> thread() {
      return Optional.ofNullable((Thread) THREAD.getAcquire(this));
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

    @Override
    public String toString() {
      return name;
    }
  }
}
