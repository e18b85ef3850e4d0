package io.lastcall.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A number for each interval since a start: counts of events, or samples. Its size is fixed when it
 * is made; what comes later belongs to the last interval. Thread-safe and lock-free.
 */
public final class TimeSeries {
  /** The finest interval, as long as the horizon is a minute or less. */
  private static final Duration FINEST = Duration.ofMillis(100);

  private static final int MOST_INTERVALS = 600;

  private final Deadline start;
  private final long intervalNanos;
  private final AtomicIntegerArray values;

  /** The interval of the last sample; guarded by this. */
  private int sampled = -1;

  private TimeSeries(Deadline start, long intervalNanos, int intervals) {
    this.start = start;
    this.intervalNanos = intervalNanos;
    values = new AtomicIntegerArray(intervals);
  }

  /**
   * Returns an empty series: intervals of 100 ms, or the multiple of it with which 600 cover the
   * horizon.
   *
   * @param start where the first interval begins
   * @param horizon from the start to the end of the last interval
   */
  public static TimeSeries over(Deadline start, Duration horizon) {
    long finest = FINEST.toNanos();
    long horizonNanos = Math.max(finest, horizon.toNanos());
    long interval = finest * ceil(horizonNanos, finest * MOST_INTERVALS);
    return new TimeSeries(start, interval, (int) ceil(horizonNanos, interval));
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }

  /** Counts an event of now. */
  public void add() {
    values.getAndIncrement(now());
  }

  /** Sets the number of the interval of now; intervals that got no sample repeat the last one. */
  public synchronized void sample(long value) {
    int now = now();
    for (int gap = sampled + 1; gap < now; gap++) {
      values.set(gap, gap == 0 ? 0 : values.get(gap - 1));
    }
    values.set(now, (int) Math.min(Integer.MAX_VALUE, value));
    sampled = now;
  }

  /** Returns the length of an interval. */
  public Duration interval() {
    return Duration.ofNanos(intervalNanos);
  }

  /** Returns when the next interval begins. */
  public Deadline next() {
    return start.plus(interval().multipliedBy(passed() + 1));
  }

  /**
   * Returns the numbers from the start to an interval; samples end with the last one repeated.
   *
   * @param last the index of that interval, {@link #now} of one of those that are read together:
   *     where each looked at the clock itself, their lengths could differ
   */
  public synchronized List<Integer> values(int last) {
    List<Integer> list = new ArrayList<>(last + 1);
    for (int i = 0; i <= last; i++) {
      list.add(values.get(sampled < 0 ? i : Math.min(i, sampled)));
    }
    return list;
  }

  /** Returns the index of the interval of now. */
  public int now() {
    return (int) Math.max(0, Math.min(values.length() - 1, passed()));
  }

  private long passed() {
    return start.elapsed().toNanos() / intervalNanos;
  }
}
