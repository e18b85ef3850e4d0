package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.work.Work;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.scheduling.SchedulingAwareRunnable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/**
 * Has no {@code @Scheduled} task start once a shutdown has begun, and counts those that run. What
 * the application schedules by itself on the same scheduler goes on: requests may need it.
 */
@Order(Ordered.LOWEST_PRECEDENCE) // after those that choose the scheduler
final class ScheduledRuns implements SchedulingConfigurer {
  private final GracefulShutdown shutdown;
  private final ListableBeanFactory beans;

  ScheduledRuns(GracefulShutdown shutdown, ListableBeanFactory beans) {
    this.shutdown = shutdown;
    this.beans = beans;
  }

  @Override
  public void configureTasks(ScheduledTaskRegistrar registrar) {
    TaskScheduler chosen = registrar.getScheduler();
    if (chosen != null) {
      Work work = isCountedByItsPool() ? null : shutdown.work("@Scheduled");
      registrar.setTaskScheduler(new Counting(chosen, shutdown, work));
    }
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

  private record Counting(TaskScheduler scheduler, GracefulShutdown shutdown, @Nullable Work work)
      implements TaskScheduler {
    private Run counted(Runnable task) {
      return new Run(task, shutdown, work);
    }

    @Override
    public Clock getClock() {
      return scheduler.getClock();
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
      return scheduler.schedule(counted(task), trigger);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, Instant start) {
      return scheduler.schedule(counted(task), start);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant start, Duration period) {
      return scheduler.scheduleAtFixedRate(counted(task), start, period);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
      return scheduler.scheduleAtFixedRate(counted(task), period);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant start, Duration delay) {
      return scheduler.scheduleWithFixedDelay(counted(task), start, delay);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
      return scheduler.scheduleWithFixedDelay(counted(task), delay);
    }
  }
}
