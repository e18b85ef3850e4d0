package io.lastcall.propagation;

import java.time.Duration;
import java.util.Optional;

/**
 * How long a silence must last to mean that no router sends here any more.
 *
 * <p>The danger is the router that has not heard yet and sends little. With n routers of equal
 * share its share is 1/n, and of k requests that would have come, none is from it with a
 * probability of (1 - 1/n)^k, less than exp(-k/n). Until the maximum it may still send r/n * (max -
 * min) requests, so that k = n ln((1 + r (max - min) / n) / e) keeps the expected loss, and with it
 * the probability of any, below e.
 *
 * <p>That counts requests as independent. Where they come in bursts from one router, k requests say
 * less about the other routers than k independent ones would. How much less is in the traffic:
 * bursts raise the variance of the counts above their mean, by about the size of a burst. So k is
 * multiplied by the ratio of the two, the index of dispersion, at the window length where it is
 * largest; it is 1 for Poisson arrivals, and never taken for less.
 *
 * <p>The time in which k requests are sure to come is read from the traffic as it was, not from its
 * mean: w is the shortest window of whole seconds such that <em>every</em> window of that length
 * held k or more. Bursts and lulls lengthen it. Half as much again is added for a lull deeper than
 * any seen. Without such a window, or without the full history, no silence is evidence.
 *
 * @param routers n, the routers (nodes, ingress replicas) that send here
 * @param range the time between the earliest and the latest end of the wait
 */
public record SilenceCriterion(int routers, Duration range) {

  /**
   * e, the accepted probability that a request comes after the early end. It is under a logarithm:
   * a tenth of it makes k a quarter larger or so.
   */
  private static final double ERROR = 0.01;

  /** The margin on the window, for a lull deeper than any in the history. */
  private static final double MARGIN = 1.5;

  /** Bursts of up to about this many seconds show themselves in the variance. */
  private static final int[] SCALES = {1, 2, 4, 8, 16};

  /**
   * Returns the silence that is evidence.
   *
   * @param arrivals requests per second, oldest first, over the whole history
   * @param longest a silence longer than this is of no use
   * @return empty if no silence within {@code longest} is evidence
   */
  public Optional<Duration> silence(long[] arrivals, Duration longest) {
    long needed = needed(arrivals);
    int atMost = (int) Math.min(arrivals.length, longest.toSeconds());
    for (int window = 1; window <= atMost; window++) {
      if (leastIn(arrivals, window) >= needed) {
        Duration silence = Duration.ofMillis((long) (window * 1_000 * MARGIN));
        return silence.compareTo(longest) <= 0 ? Optional.of(silence) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /** Returns k: how many requests must be missing. */
  private long needed(long[] arrivals) {
    long total = 0;
    for (long second : arrivals) {
      total += second;
    }
    double rate = (double) total / Math.max(1, arrivals.length);
    double later = rate * range.toMillis() / 1_000 / routers;
    return (long) Math.ceil(dispersion(arrivals) * routers * Math.log((1 + later) / ERROR));
  }

  /** Returns the largest ratio of variance to mean over the scales; at least 1. */
  static double dispersion(long[] arrivals) {
    double most = 1;
    for (int scale : SCALES) {
      most = Math.max(most, dispersion(arrivals, scale));
    }
    return most;
  }

  /** Overlapping windows: they use all of the history. */
  private static double dispersion(long[] arrivals, int window) {
    double sum = 0;
    double squares = 0;
    int windows = 0;
    long inside = 0;
    for (int i = 0; i < arrivals.length; i++) {
      inside += arrivals[i] - (i < window ? 0 : arrivals[i - window]);
      if (i >= window - 1) {
        sum += inside;
        squares += (double) inside * inside;
        windows++;
      }
    }
    double mean = sum / Math.max(1, windows);
    return mean == 0 ? 1 : (squares / windows - mean * mean) / mean;
  }

  private static long leastIn(long[] arrivals, int window) {
    long sum = 0;
    for (int i = 0; i < window; i++) {
      sum += arrivals[i];
    }
    long least = sum;
    for (int i = window; i < arrivals.length; i++) {
      sum += arrivals[i] - arrivals[i - window];
      least = Math.min(least, sum);
    }
    return least;
  }
}
