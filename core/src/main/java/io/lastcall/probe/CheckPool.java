package io.lastcall.probe;

import io.lastcall.process.Threads;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where checks run: a bounded number at once, and a thread that looks at the clock for them. All
 * end by themselves when nobody asks any more, or when it is closed.
 */
final class CheckPool {
  /** So many may hang at once before the others wait for a thread, and time out waiting. */
  static final int MAX_CONCURRENT = 8;

  private static final long KEEP_ALIVE_SECONDS = 5;

  private final ThreadPoolExecutor workers =
      new ThreadPoolExecutor(
          MAX_CONCURRENT,
          MAX_CONCURRENT,
          KEEP_ALIVE_SECONDS,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          body -> Threads.daemon("check", body));

  private final ScheduledThreadPoolExecutor timer =
      new ScheduledThreadPoolExecutor(1, body -> Threads.daemon("check-timer", body));

  CheckPool() {
    workers.allowCoreThreadTimeOut(true);
    timer.setKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
    timer.allowCoreThreadTimeOut(true);
    timer.setRemoveOnCancelPolicy(true);
  }

  /** Runs it when a thread is free; the queue holds at most one entry for each check. */
  void execute(Runnable run) {
    workers.execute(run);
  }

  /** Takes it back; returns false if it has started. */
  boolean remove(Runnable run) {
    return workers.remove(run);
  }

  Future<?> after(Duration delay, Runnable body) {
    return timer.schedule(body, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /**
   * Interrupts what runs, takes nothing more, and ends its threads. The timer stays until the last
   * alarm: what hangs all the same, or never got a thread, is still answered for.
   */
  void close() {
    workers.shutdownNow();
    timer.shutdown();
  }
}
