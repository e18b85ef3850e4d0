package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.work.Work;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
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

  ScheduledRuns(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  @Override
  public void configureTasks(ScheduledTaskRegistrar registrar) {
    TaskScheduler chosen = registrar.getScheduler();
    if (chosen != null) {
      registrar.setTaskScheduler(new Counting(chosen, shutdown, shutdown.work("@Scheduled")));
    }
  }

  /** A task, with what chooses its scheduler. */
  private record Run(Runnable task, GracefulShutdown shutdown, Work work)
      implements SchedulingAwareRunnable {
    @Override
    public void run() {
      if (shutdown.isShuttingDown()) {
        return;
      }
      if (CountedTasks.isRunning()) { // by its scheduler
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

  private record Counting(TaskScheduler scheduler, GracefulShutdown shutdown, Work work)
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
