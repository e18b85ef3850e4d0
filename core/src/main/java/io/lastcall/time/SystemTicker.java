package io.lastcall.time;

import java.util.concurrent.locks.LockSupport;

/** {@link System#nanoTime()} and {@link LockSupport}. */
final class SystemTicker implements Ticker {
  static final SystemTicker INSTANCE = new SystemTicker();

  private SystemTicker() {}

  @Override
  public long read() {
    return System.nanoTime();
  }

  @Override
  public void parkUntil(Object blocker, long time) {
    long nanos = time - System.nanoTime();
    if (nanos > 0) {
      LockSupport.parkNanos(blocker, nanos);
    }
  }
}
