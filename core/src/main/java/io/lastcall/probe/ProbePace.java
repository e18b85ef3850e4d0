package io.lastcall.probe;

import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** How often readiness is asked for. Thread-safe. */
final class ProbePace {
  /** Gaps that are remembered: a start-up that is watched more closely is soon forgotten. */
  private static final int GAPS = 4;

  private final Ticker ticker;
  private final Deque<Long> times = new ArrayDeque<>();

  ProbePace(Ticker ticker) {
    this.ticker = ticker;
  }

  synchronized void asked() {
    times.add(ticker.read());
    if (times.size() > GAPS + 1) {
      times.remove();
    }
  }

  /** Returns the longest of the last gaps, the one until now included; zero if never asked. */
  synchronized Duration period() {
    long longest = 0;
    long before = times.isEmpty() ? 0 : times.element();
    for (long time : times) {
      longest = Math.max(longest, time - before);
      before = time;
    }
    return Duration.ofNanos(times.isEmpty() ? 0 : Math.max(longest, ticker.read() - before));
  }
}
