package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.Work;
import io.lastcall.work.WorkSource;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Has no {@code @Scheduled} task start once a shutdown has begun, and counts those that run. Tasks
 * are cancelled when it begins, and one that starts at that moment has nothing to do. What the
 * application schedules by itself on the same scheduler goes on: requests may need it.
 */
@Order(Ordered.LOWEST_PRECEDENCE) // after those that choose the scheduler
final class ScheduledRuns implements SchedulingConfigurer {
  private final ProcessShutdown process;
  private final GracefulShutdown shutdown;
  private final ListableBeanFactory beans;

  ScheduledRuns(ProcessShutdown process, ListableBeanFactory beans) {
    this.process = process;
    this.shutdown = process.shutdown();
    this.beans = beans;
  }

  @Override
  public void configureTasks(ScheduledTaskRegistrar registrar) {
    TaskScheduler chosen = registrar.getScheduler();
    if (chosen != null) {
      awaitPublishers();
      Work work = isCountedByItsPool() ? null : shutdown.work("@Scheduled");
      List<ScheduledFuture<?>> scheduled = new CopyOnWriteArrayList<>();
      registrar.setTaskScheduler(new Counting(chosen, shutdown, work, scheduled));
      if (!shutdown.isShuttingDown()) {
        process.step(
            Step.of(
                Phase.KEEP_SERVING,
                "stop @Scheduled tasks",
                context -> scheduled.forEach(task -> task.cancel(false))));
      }
    }
  }

  /**
   * Runs of methods that return a publisher: they go on when their thread has left them. Without
   * any such method there is no source.
   */
  private void awaitPublishers() {
    beans.getBeanProvider(ScheduledAnnotationBeanPostProcessor.class).stream()
        .filter(SpringInternals.SCHEDULED_PUBLISHERS::isIn)
        .filter(scheduling -> !publishers(scheduling).isEmpty())
        .forEach(
            scheduling ->
                process.stopFirst(
                    "@Scheduled publishers",
                    scheduling,
                    WorkSource.ofCounted(
                        () -> {}, // each run is a task, and does not begin
                        () -> openPublishers(scheduling))));
  }

  /** Returns how many have not completed. */
  static long openPublishers(ScheduledAnnotationBeanPostProcessor scheduling) {
    return publishers(scheduling).values().stream().mapToLong(List::size).sum();
  }

  @SuppressWarnings("unchecked")
  private static Map<?, List<?>> publishers(ScheduledAnnotationBeanPostProcessor scheduling) {
    Object open = SpringInternals.SCHEDULED_PUBLISHERS.of(scheduling);
    return open == null ? Map.of() : (Map<?, List<?>>) open;
  }

  /** Without a scheduler of its own, Spring uses the only pool of the JDK that is a bean. */
  private boolean isCountedByItsPool() {
    ScheduledExecutorService pool =
        beans.getBeanProvider(ScheduledExecutorService.class).getIfUnique();
    return pool != null
        && ExecutorBeans.isCounted(pool)
        && beans.getBeanNamesForType(TaskScheduler.class).length == 0;
  }

  /**
   * A task, with the name of its scheduler.
   *
   * @param work null where the scheduler counts it
   */
  private record Run(Runnable task, GracefulShutdown shutdown, @Nullable Work work)
      implements SchedulingAwareRunnable {
    @Override
    public void run() {
      if (shutdown.isShuttingDown()) {
        CountedTasks.skipRun();
        return;
      }
      if (work == null || CountedTasks.isRunning()) {
        task.run();
      } else {
        Work.Unit unit = work.begin(task.toString());
        try {
          task.run();
        } finally {
          unit.close();
        }
      }
    }

    @Override
    public @Nullable String getQualifier() {
      return task instanceof SchedulingAwareRunnable aware ? aware.getQualifier() : null;
    }

    @Override
    public String toString() {
      return task.toString();
    }
  }

  /**
   * @param scheduled what it has scheduled, to be cancelled
   */
  private record Counting(
      TaskScheduler scheduler,
      GracefulShutdown shutdown,
      @Nullable Work work,
      List<ScheduledFuture<?>> scheduled)
      implements TaskScheduler {
    private Run counted(Runnable task) {
      return new Run(task, shutdown, work);
    }

    private ScheduledFuture<?> keep(ScheduledFuture<?> task) {
      scheduled.removeIf(Future::isDone);
      scheduled.add(task);
      return task;
    }

    @Override
    public Clock getClock() {
      return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
      ScheduledFuture<?> first = scheduler.schedule(counted(task), trigger);
      return first == null ? null : keep(first);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant start) {
      return keep(scheduler.schedule(counted(task), start));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant start, Duration period) {
      return keep(scheduler.scheduleAtFixedRate(counted(task), start, period));
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
      return keep(scheduler.scheduleAtFixedRate(counted(task), period));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant start, Duration delay) {
      return keep(scheduler.scheduleWithFixedDelay(counted(task), start, delay));
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
      return keep(scheduler.scheduleWithFixedDelay(counted(task), delay));
    }
  }
}
