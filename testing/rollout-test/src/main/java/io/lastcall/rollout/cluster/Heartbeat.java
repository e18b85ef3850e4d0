package io.lastcall.rollout.cluster;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Sees how late this machine wakes a thread that sleeps: the worst of a run. A daemon thread. */
final class Heartbeat implements AutoCloseable {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(10);

  private final Thread thread = new Thread(this::run, "heartbeat");
  private volatile long worst;
  private volatile boolean stopped;

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    long due = System.nanoTime() + PERIOD;
    while (!stopped) {
      long wait = due - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      } else {
        worst = Math.max(worst, -wait);
        due = System.nanoTime() + PERIOD;
      }
    }
  }

  /** In nanoseconds. */
  long worst() {
    return worst;
  }

  @Override
  public void close() {
    stopped = true;
  }
}
