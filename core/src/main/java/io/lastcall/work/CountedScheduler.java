package io.lastcall.work;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A scheduler whose running tasks are work. Delayed tasks of a {@link ScheduledThreadPoolExecutor}
 * that begin before DRAIN must end are waited for; one that is due after that is refused then, and
 * counted. Periodic ones do not run again after the trigger: they are due again in another process.
 */
final class CountedScheduler extends CountedExecutor implements ScheduledExecutorService {
  private final ScheduledExecutorService delegate;

  CountedScheduler(ScheduledExecutorService delegate, Work work, WorkControl control) {
    super(delegate, work, control, LateTasks.RUN);
    this.delegate = delegate;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable body, long delay, TimeUnit unit) {
    return delegate.schedule(() -> count(body).run(), delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> body, long delay, TimeUnit unit) {
    return delegate.schedule(
        () -> {
          Work.Unit counted = work().begin(body.getClass().getName());
          try {
            return body.call();
          } finally {
            counted.close();
          }
        },
        delay,
        unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable body, long first, long period, TimeUnit unit) {
    return delegate.scheduleAtFixedRate(() -> runUnlessStopping(body), first, period, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable body, long first, long delay, TimeUnit unit) {
    return delegate.scheduleWithFixedDelay(() -> runUnlessStopping(body), first, delay, unit);
  }

  private void runUnlessStopping(Runnable body) {
    if (!isStopping()) {
      count(body).run();
    }
  }

  @Override
  Optional<Duration> awaited(Deadline end) {
    if (!(delegate instanceof ScheduledThreadPoolExecutor pool)) {
      return Optional.empty();
    }
    return pool.getQueue().stream()
        .filter(task -> task instanceof RunnableScheduledFuture<?> delayed && isOnce(delayed))
        .map(task -> Duration.ofNanos(((Delayed) task).getDelay(TimeUnit.NANOSECONDS)))
        .filter(delay -> delay.compareTo(end.remaining()) < 0)
        .max(Comparator.naturalOrder());
  }

  private static boolean isOnce(RunnableScheduledFuture<?> task) {
    return !task.isPeriodic() && !task.isCancelled();
  }
}
