package io.lastcall.propagation;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Arrivals per second over the last five minutes. Thread-safe. */
public final class ArrivalHistory {
  /** The length of the whole history; a process younger than this has none. */
  public static final int SECONDS = 300;

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final LongSupplier started;
  private final Ticker ticker;
  private final long[] arrivals = new long[SECONDS];
  private long samples;
  private volatile boolean stopped;
  private volatile @Nullable Thread sampler;

  /**
   * @param started the number of requests so far
   */
  public ArrivalHistory(LongSupplier started, Ticker ticker) {
    this.started = started;
    this.ticker = ticker;
  }

  /** Samples once a second on the calling thread, until {@link #stop}. */
  public void sample() {
    sampler = Thread.currentThread();
    Deadline next = Deadline.after(SECOND, ticker);
    long before = started.getAsLong();
    while (!next.await(this, () -> stopped)) {
      long now = started.getAsLong();
      synchronized (arrivals) {
        arrivals[(int) (samples % SECONDS)] = now - before;
        samples++;
      }
      before = now;
      next = next.plus(SECOND);
    }
  }

  /** Ends the sampling: arrivals after the trigger are no ordinary traffic. */
  public void stop() {
    stopped = true;
    LockSupport.unpark(sampler);
  }

  /** Returns how many seconds there are, at most {@value #SECONDS}. */
  public long seconds() {
    synchronized (arrivals) {
      return Math.min(samples, SECONDS);
    }
  }

  /** Returns the arrivals of each second, oldest first; empty without the whole history. */
  public Optional<long[]> arrivals() {
    synchronized (arrivals) {
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
}
