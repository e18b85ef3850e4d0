package io.lastcall.propagation;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Arrivals per second over the last five minutes, sampled once a second by the thread that runs
 * {@link #sample}, until {@link #stop()}.
 */
public final class ArrivalHistory {
  /** What counts as the whole history; a process younger than this has none. */
  public static final int SECONDS = 300;

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LongSupplier started;
  private final Ticker ticker;
  private final long[] arrivals = new long[SECONDS];
  private long samples;
  private boolean stopped;
  private @Nullable Thread sampler;

  /**
   * @param started the number of requests so far
   */
  public ArrivalHistory(LongSupplier started, Ticker ticker) {
    this.started = started;
    this.ticker = ticker;
  }

  /** Samples until stopped; blocks the calling thread. */
  public void sample() {
    begin();
    Deadline next = Deadline.after(SECOND, ticker);
    long before = started.getAsLong();
    while (!next.await(this, this::isStopped)) {
      long now = started.getAsLong();
      add(now - before);
      before = now;
      next = next.plus(SECOND);
    }
  }

  private synchronized void begin() {
    sampler = Thread.currentThread();
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private synchronized void add(long arrived) {
    arrivals[(int) (samples % SECONDS)] = arrived;
    samples++;
  }

  /** Ends the sampling: what comes after the trigger is no ordinary traffic. */
  public synchronized void stop() {
    stopped = true;
    LockSupport.unpark(sampler);
  }

  /** Returns how many seconds there are, at most {@value #SECONDS}. */
  public synchronized long seconds() {
    return Math.min(samples, SECONDS);
  }

  /** Returns the arrivals of each second, oldest first; empty without the whole history. */
  public synchronized Optional<long[]> arrivals() {
    if (samples < SECONDS) {
      return Optional.empty();
    }
    long[] ordered = new long[SECONDS];
    for (int i = 0; i < SECONDS; i++) {
      ordered[i] = arrivals[(int) ((samples + i) % SECONDS)];
    }
    return Optional.of(ordered);
  }
}
