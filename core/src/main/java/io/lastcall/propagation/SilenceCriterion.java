package io.lastcall.propagation;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How long a silence must last to mean that no router sends here any more.
 *
 * <p>The danger is a router that has not heard yet and sends little. With n routers of equal share
 * its share is 1/n, and of k requests that would have come, none is from it with a probability of
 * (1 - 1/n)^k, less than exp(-k/n). Until the maximum it may still send r/n * (max - min) requests,
 * so that k = n ln((1 + r (max - min) / n) / e) keeps the expected loss, and with it the
 * probability of any, below e.
 *
 * <p>That counts requests as independent. Bursts from one router raise the variance of the counts
 * above their mean, by about the size of a burst. So k is multiplied by the ratio of the two, the
 * index of dispersion, at the window length where it is largest; it is 1 for Poisson arrivals, and
 * never taken for less.
 *
 * <p>The time in which k requests are sure to come is read from the traffic, not from its mean: w
 * is the shortest window of whole seconds such that <em>every</em> window of that length held k or
 * more. Half as much again is added for a lull deeper than any seen. Without such a window, or
 * without the full history, no silence is evidence.
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

  /** So that clients do not all reconnect in one instant. */
  private static final Duration SHORTEST_RAMP = Duration.ofSeconds(1);

  /** The margin on the window, for a lull deeper than any in the history. */
  private static final double MARGIN = 1.5;

  /** The shortest silence that is ever evidence: a window of one second, and its margin. */
  public static final Duration SHORTEST = Duration.ofMillis((long) (1_000 * MARGIN));

  /** Chance alone disperses Poisson arrivals less than that. */
  private static final double BURSTY = 2;

  /** Enough for the least rate to converge. */
  private static final int STEPS = 100;

  /** Window lengths in seconds: bursts of up to about the longest show in the variance. */
  private static final int[] SCALES = {1, 2, 4, 8, 16};

  /**
   * Returns the time from the trigger until every response says close, before which silence is no
   * evidence: half of the window, or less where the minimum is.
   */
  public static Duration closeRamp(Duration minimum, Duration window) {
    Duration half = window.dividedBy(2);
    Duration ramp = minimum.compareTo(SHORTEST_RAMP) < 0 ? SHORTEST_RAMP : minimum;
    return ramp.compareTo(half) < 0 ? ramp : half;
  }

  /**
   * Returns the silence that is evidence.
   *
   * @param arrivals requests per second, oldest first, over the whole history
   * @param longest a silence longer than this is of no use
   * @return empty if no silence within {@code longest} is evidence
   */
  public Optional<Duration> silence(long[] arrivals, Duration longest) {
    double needed = Math.ceil(dispersion(arrivals) * needed(rate(arrivals)));
    int atMost = (int) Math.min(arrivals.length, longest.toSeconds());
    for (int window = 1; window <= atMost; window++) {
      if (leastIn(arrivals, window) >= needed) {
        Duration silence = Duration.ofMillis((long) (window * 1_000 * MARGIN));
        return silence.compareTo(longest) <= 0 ? Optional.of(silence) : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the least rate, in requests a second, at which some silence within {@code longest} is
   * evidence, for evenly spaced arrivals; empty if no rate suffices.
   */
  public OptionalLong leastRate(Duration longest) {
    long windows = longest.toMillis() / SHORTEST.toMillis();
    if (windows == 0) {
      return OptionalLong.empty();
    }
    // Fixed-point iteration: what is needed depends on the rate. Converges from 0.
    double rate = 0;
    for (int i = 0; i < STEPS; i++) {
      rate = needed(rate) / windows;
    }
    return OptionalLong.of((long) Math.ceil(rate));
  }

  /** Describes traffic for the log: its rate, and its bursts if it comes in any. */
  public static String words(long[] arrivals) {
    double dispersion = dispersion(arrivals);
    return Math.round(rate(arrivals) * 10) / 10.0
        + " requests a second"
        + (dispersion < BURSTY ? "" : " in bursts of some " + Math.round(dispersion));
  }

  private static double rate(long[] arrivals) {
    return (double) Arrays.stream(arrivals).sum() / Math.max(1, arrivals.length);
  }

  /** Returns k for arrivals that are independent of each other. */
  private double needed(double rate) {
    double later = rate * range.toMillis() / 1_000 / routers;
    return routers * Math.log((1 + later) / ERROR);
  }

  /** Returns the largest ratio of variance to mean over the scales; at least 1. */
  static double dispersion(long[] arrivals) {
    return Arrays.stream(SCALES)
        .mapToDouble(scale -> dispersion(arrivals, scale))
        .reduce(1, Math::max);
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
    long sum = Arrays.stream(arrivals, 0, window).sum();
    long least = sum;
    for (int i = window; i < arrivals.length; i++) {
      sum += arrivals[i] - arrivals[i - window];
      least = Math.min(least, sum);
    }
    return least;
  }
}
