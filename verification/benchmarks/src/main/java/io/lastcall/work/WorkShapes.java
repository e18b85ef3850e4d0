package io.lastcall.work;

import io.lastcall.time.Ticker;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One unit of work, and one task on an executor whose own cost is nothing. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WorkShapes {

  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final WorkControl control = new WorkControl(Ticker.system());
    final Work work = control.work("mail");
    final ExecutorService plain = new Here();
    final ExecutorService counted = control.executor("tasks", new Here(), LateTasks.RUN);
  }

  /** Runs each task on the calling thread. */
  private static final class Here extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private static void nothing() {}

  /** The clock alone, which a unit and a task read once, for their age. */
  @Benchmark
  public long clock() {
    return Ticker.system().read();
  }

  /** One unit. */
  @Benchmark
  public void unit(Shared shared) {
    shared.work.begin("order").close();
  }

  /** One task on the delegate alone. */
  @Benchmark
  public void task(Shared shared) {
    shared.plain.execute(WorkShapes::nothing);
  }

  /** One counted task. */
  @Benchmark
  public void countedTask(Shared shared) {
    shared.counted.execute(WorkShapes::nothing);
  }
}
