package io.lastcall.testing;

import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * Time that moves when the test says so. A thread that parks on it registers, so a test can wait
 * until the code under test has nothing to do but wait, and then advance: no sleeping, no guessing.
 *
 * <p>It starts just before {@link Long#MAX_VALUE}, so that whoever compares readings by anything
 * but their difference fails.
 */
public final class ManualTicker implements Ticker {
  private static final long ORIGIN = Long.MAX_VALUE - Duration.ofSeconds(3).toNanos();

  /** How long a test waits for a thread before it fails: only ever reached by a bug. */
  private static final long PATIENCE_NANOS = Duration.ofSeconds(60).toNanos();

  private final Object lock = new Object();
  private final Map<Thread, Long> parked = new HashMap<>();
  private long now = ORIGIN;

  /** Creates a ticker that stands still. */
  public ManualTicker() {}

  @Override
  public long read() {
    synchronized (lock) {
      return now;
    }
  }

  @Override
  public void parkUntil(Object blocker, long time) {
    Thread self = Thread.currentThread();
    synchronized (lock) {
      if (now - time >= 0) {
        return;
      }
      parked.put(self, time);
      lock.notifyAll();
    }
    LockSupport.park(blocker);
    synchronized (lock) {
      parked.remove(self);
    }
  }

  /** Moves on by {@code amount}; unparks whoever waited for a moment until then. */
  public void advance(Duration amount) {
    synchronized (lock) {
      now += amount.toNanos();
      Iterator<Map.Entry<Thread, Long>> waiting = parked.entrySet().iterator();
      while (waiting.hasNext()) {
        Map.Entry<Thread, Long> entry = waiting.next();
        if (now - entry.getValue() >= 0) {
          waiting.remove();
          LockSupport.unpark(entry.getKey());
        }
      }
    }
  }

  /** Moves on to {@code elapsed} after the ticker's beginning. */
  public void advanceTo(Duration elapsed) {
    advance(elapsed.minus(elapsed()));
  }

  /** Returns the time since the ticker's beginning. */
  public Duration elapsed() {
    return Duration.ofNanos(read() - ORIGIN);
  }

  /** Waits until {@code thread} is parked here; returns until when, from the ticker's beginning. */
  public Duration awaitParked(Thread thread) {
    return Duration.ofNanos(awaitEntry(entry -> entry.getKey() == thread, thread.getName()));
  }

  /** As {@link #awaitParked(Thread)}, for a thread called {@code name}. */
  public Duration awaitParked(String name) {
    return Duration.ofNanos(awaitEntry(entry -> entry.getKey().getName().equals(name), name));
  }

  /** Waits until a thread called {@code name} is parked until exactly {@code elapsed}. */
  public void awaitParkedUntil(String name, Duration elapsed) {
    awaitEntry(
        entry ->
            entry.getKey().getName().equals(name) && entry.getValue() - ORIGIN == elapsed.toNanos(),
        name + " until " + elapsed);
  }

  private long awaitEntry(Predicate<Map.Entry<Thread, Long>> wanted, String what) {
    long giveUp = System.nanoTime() + PATIENCE_NANOS;
    synchronized (lock) {
      while (true) {
        for (Map.Entry<Thread, Long> entry : parked.entrySet()) {
          if (wanted.test(entry)) {
            return entry.getValue() - ORIGIN;
          }
        }
        long left = giveUp - System.nanoTime();
        if (left <= 0) {
          throw new AssertionError("Never parked: " + what + "; parked are " + describe());
        }
        await(left);
      }
    }
  }

  private String describe() {
    StringBuilder text = new StringBuilder("at ").append(Duration.ofNanos(now - ORIGIN));
    parked.forEach(
        (thread, time) ->
            text.append("; ")
                .append(thread.getName())
                .append(" until ")
                .append(Duration.ofNanos(time - ORIGIN)));
    return text.toString();
  }

  @SuppressWarnings("WaitNotInLoop") // the caller loops
  private void await(long nanos) {
    try {
      lock.wait(Math.max(1, nanos / 1_000_000));
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }
}
