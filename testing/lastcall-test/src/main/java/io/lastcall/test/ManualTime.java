package io.lastcall.test;

import io.lastcall.time.Ticker;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time that moves when the test says so. A thread that waits on it is known here, with the moment
 * that it waits for, so time can move from one such moment to the next. Thread-safe.
 */
final class ManualTime implements Ticker {
  /** Longer than any timeout that a plan allows. */
  private static final long FAR_AHEAD = 1L << 60;

  private final Map<Thread, Long> parked = new HashMap<>();
  private long now;
  private boolean over;

  @Override
  public synchronized long read() {
    return now;
  }

  @Override
  public void parkUntil(Object blocker, long time) {
    Thread self = Thread.currentThread();
    if (park(self, time)) {
      LockSupport.park(blocker);
    }
    if (unpark(self) && Standstill.isLibrary(self)) {
      // It would go on until a real process's end, and this process does not end.
      self.setUncaughtExceptionHandler((thread, end) -> {});
      throw new ProcessEnded();
    }
  }

  private synchronized boolean park(Thread self, long time) {
    if (now - time >= 0) {
      return false;
    }
    parked.put(self, time);
    return true;
  }

  /** Returns whether the process has ended. */
  private synchronized boolean unpark(Thread self) {
    parked.remove(self);
    return over;
  }

  /** Returns the moment that {@code thread} is parked for; empty if it is not parked here. */
  synchronized OptionalLong parkedUntil(Thread thread) {
    Long time = parked.get(thread);
    return time == null ? OptionalLong.empty() : OptionalLong.of(time);
  }

  /** Returns the earliest moment that a thread is parked for. */
  synchronized OptionalLong next() {
    return parked.values().stream().mapToLong(Long::longValue).min();
  }

  /** Moves on and wakes the threads that have waited for a moment until then. */
  synchronized void moveTo(long time) {
    now = Math.max(now, time);
    Iterator<Map.Entry<Thread, Long>> waiting = parked.entrySet().iterator();
    while (waiting.hasNext()) {
      Map.Entry<Thread, Long> entry = waiting.next();
      if (now - entry.getValue() >= 0) {
        waiting.remove();
        LockSupport.unpark(entry.getKey());
      }
    }
  }

  /** The process has ended: threads of the library that wait here end, too. */
  synchronized void end() {
    over = true;
    moveTo(now + FAR_AHEAD);
  }

  /** Ends a thread, as the end of its process would. */
  private static final class ProcessEnded extends Error {
    private static final long serialVersionUID = 1;

    ProcessEnded() {
      super("The process has ended", null, false, false);
    }
  }
}
