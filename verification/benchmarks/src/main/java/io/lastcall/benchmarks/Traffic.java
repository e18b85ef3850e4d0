package io.lastcall.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Requests as n routers of equal share send them. A router sends batches, at random moments of the
 * time in which it is on; steady traffic is always on, in batches of one.
 *
 * @param name for the table
 * @param rate requests per second from all routers together, on average
 * @param batch how many come at once, from one router
 * @param on the mean time on, in seconds; zero: always on
 * @param off the mean time off
 * @param together whether all routers are on and off at the same time
 */
record Traffic(String name, double rate, int batch, double on, double off, boolean together) {

  /** The seconds before the trigger, and the longest wait after it. */
  static final int HISTORY = 300;

  /**
   * One service's last minutes.
   *
   * @param perSecond arrivals of each second before the trigger
   * @param slow when requests come after it, from one router that never hears of it
   */
  @SuppressWarnings("ArrayRecordComponent") // as the criterion takes it; compared by nobody
  record Sample(long[] perSecond, List<Double> slow) {}

  private record Interval(double from, double to) {}

  Sample sample(int routers, double longest, RandomGenerator random) {
    double share = rate / routers * (on == 0 ? 1 : (on + off) / on) / batch;
    long[] perSecond = new long[HISTORY];
    List<Interval> slow = intervals(longest, random);
    if (on == 0 || together) {
      addHistory(perSecond, slow, share * routers, random);
    } else {
      addHistory(perSecond, slow, share, random);
      for (int router = 1; router < routers; router++) {
        addHistory(perSecond, intervals(0, random), share, random);
      }
    }
    return new Sample(perSecond, arrivals(slow, share, random));
  }

  /** The times at which a router is on, from long enough before the history to forget its start. */
  private List<Interval> intervals(double until, RandomGenerator random) {
    if (on == 0) {
      return List.of(new Interval(-HISTORY, until));
    }
    List<Interval> intervals = new ArrayList<>();
    double at = -HISTORY - random.nextDouble() * 10 * (on + off);
    while (at < until) {
      double end = at + random.nextExponential() * on;
      intervals.add(new Interval(Math.max(at, -HISTORY), Math.min(end, until)));
      at = end + random.nextExponential() * off;
    }
    return intervals;
  }

  private void addHistory(
      long[] perSecond, List<Interval> intervals, double batchRate, RandomGenerator random) {
    for (Interval interval : intervals) {
      double end = Math.min(interval.to(), 0);
      for (double at = interval.from(); at < end; at = Math.floor(at) + 1) {
        double length = Math.min(Math.floor(at) + 1, end) - at;
        perSecond[(int) Math.floor(at) + HISTORY] += batch * poisson(batchRate * length, random);
      }
    }
  }

  private static List<Double> arrivals(
      List<Interval> intervals, double batchRate, RandomGenerator random) {
    List<Double> arrivals = new ArrayList<>();
    for (Interval interval : intervals) {
      double at = Math.max(0, interval.from()) + random.nextExponential() / batchRate;
      while (at < interval.to()) {
        arrivals.add(at);
        at += random.nextExponential() / batchRate;
      }
    }
    return arrivals;
  }

  /** Normal where nobody sees the difference. */
  private static long poisson(double mean, RandomGenerator random) {
    if (mean > 200) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    long count = -1;
    for (double left = mean; left >= 0; left -= random.nextExponential()) {
      count++;
    }
    return count;
  }
}
