package io.lastcall.benchmarks;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.Permit;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** The drain under load: how often it is woken for nothing, and how fast for the last request. */
final class DrainScale {
  private static final int ROUNDS = 1_000;
  private static final int EXITS_PER_SECOND = 100_000;
  private static final int SECONDS = 3;
  private static final Duration LONG = Duration.ofMinutes(1);

  private DrainScale() {}

  static void print() throws InterruptedException {
    exits();
    wakes();
  }

  /** One request stays, others come and go. */
  private static void exits() throws InterruptedException {
    Parks ticker = new Parks();
    GateControl control = new GateControl(ticker);
    Permit stays = new Request();
    Thread other = new Thread(() -> control.gate().enter(stays));
    other.start();
    other.join();
    Thread drain = new Thread(() -> control.awaitIdle(Deadline.after(LONG, ticker)));
    drain.start();
    long exits = 0;
    long begin = System.nanoTime();
    long busy = 0;
    while (exits < (long) EXITS_PER_SECOND * SECONDS) {
      long due = begin + exits * 1_000_000_000L / EXITS_PER_SECOND;
      if (System.nanoTime() < due) {
        LockSupport.parkNanos(due - System.nanoTime());
      }
      long start = System.nanoTime();
      for (int i = 0; i < 100; i++) {
        Permit permit = new Request();
        control.gate().enter(permit);
        permit.release();
      }
      busy += System.nanoTime() - start;
      exits += 100;
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    stays.release();
    drain.join();
    System.out.printf(
        "%,d exits in %.1f s while draining: %.0f ns each with admission, drain parked %d times%n",
        exits, seconds, (double) busy / exits, ticker.parks.get());
  }

  private static void wakes() throws InterruptedException {
    long[] nanos = new long[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      GateControl control = new GateControl(Ticker.system());
      Permit last = new Request();
      control.gate().enter(last);
      AtomicLong woken = new AtomicLong();
      Thread drain =
          new Thread(
              () -> {
                control.awaitIdle(Deadline.after(LONG, Ticker.system()));
                woken.set(System.nanoTime());
              });
      drain.start();
      while (drain.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
      long released = System.nanoTime();
      last.release();
      drain.join();
      nanos[round] = woken.get() - released;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "last release to drain running: median %.0f us, best %.0f us, 99 %% within %.0f us%n",
        nanos[ROUNDS / 2] / 1e3, nanos[0] / 1e3, nanos[ROUNDS * 99 / 100] / 1e3);
  }

  private static final class Request extends Permit {}

  /** Counts how often the drain parks, which is once more than it was woken in vain. */
  private static final class Parks implements Ticker {
    private final AtomicLong parks = new AtomicLong();

    @Override
    public long read() {
      return System.nanoTime();
    }

    @Override
    public void parkUntil(Object blocker, long time) {
      parks.getAndIncrement();
      Ticker.system().parkUntil(blocker, time);
    }
  }
}
