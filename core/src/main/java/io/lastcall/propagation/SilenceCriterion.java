package io.lastcall.propagation;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * How long a silence must last to mean that no router sends here any more.
 *
 * <p>The danger is a router that has not heard yet and sends little. With n routers of equal share
 * its share is 1/n, and of k arrivals that would have come, none is from it with a probability of
 * (1 - 1/n)^k, less than exp(-k/n). Until the maximum it may still send r/n * (max - min) of them,
 * so that k = n ln((1 + r (max - min) / n) / e) keeps the expected loss, and with it the
 * probability of any, below e.
 *
 * <p>Arrivals are new connections. A router that decides for each connection sends no other sign of
 * life: its client's requests come here for as long as its connection lasts, and once that was told
 * to close, the client may stay with another process for good.
 *
 * <p>That counts arrivals as independent. Bursts from one router raise the variance of the counts
 * above their mean, by about the size of a burst. So k is multiplied by the ratio of the two, the
 * index of dispersion, at the window length where it is largest; it is 1 for Poisson arrivals, and
 * never taken for less.
 *
 * <p>The time in which k arrivals are sure to come is read from the traffic, not from its mean: w
 * is the shortest window of whole or half seconds, from 1 s on, such that <em>every</em> window of
 * that length held k or more. Half as much again is added for a lull deeper than any seen. Without
 * such a window, or without the full history, no silence is evidence.
 *
 * <p>A proxy decides for each request and keeps its connections, so that its bursts and lulls are
 * not in the new connections. But it is an address that many of the requests come from. Of each
 * address with at least a quarter of a router's share, w must also hold ln((1 + r (max - min)) / e)
 * <em>requests</em>, r being its own rate. No dispersion is needed: nothing else hides its lulls.
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

  /** Window lengths in samples: bursts of up to about the longest, 16 s, show in the variance. */
  private static final int[] SCALES = {1, 2, 4, 8, 16, 32};

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
   * Returns the silence that is evidence, or why none is.
   *
   * @param longest a silence longer than this is of no use
   */
  public Evidence evidence(RecentTraffic traffic, Duration longest) {
    if (traffic.unknown() >= heavy()) {
      return Evidence.none(
          "the connections of %.0f %% of the requests are not known"
              .formatted(100 * traffic.unknown()));
    }
    OptionalInt window = window(traffic.connections(), longest);
    if (window.isEmpty()) {
      return Evidence.none(
          "at %s from %s no silence of up to %d ms is evidence%s"
              .formatted(
                  words(traffic.connections()), senders(), longest.toMillis(), needed(longest)));
    }
    int most = window.getAsInt();
    for (RecentTraffic.Client client : traffic.clients()) {
      if (traffic.share(client.requests()) >= heavy()) {
        client.mayBeRouter().run();
        OptionalInt own = shortest(client.requests(), needed(client.requests(), 1), longest);
        if (own.isEmpty()) {
          return Evidence.none(lulls(traffic, client, longest));
        }
        most = Math.max(most, own.getAsInt());
      }
    }
    return new Evidence(
        Optional.of(silence(most)), words(traffic.connections()) + " from " + senders());
  }

  /**
   * The least share of the requests that may be a router's: a quarter of an equal one. In five
   * minutes with a dozen bursts it is seldom measured as half of what it is.
   */
  private double heavy() {
    return 1.0 / (4 * routers);
  }

  private String senders() {
    return routers + (routers == 1 ? " router" : " routers");
  }

  private String needed(Duration longest) {
    OptionalLong rate = leastRate(longest);
    return rate.isPresent()
        ? "; some %d a second would do, if they are steady".formatted(rate.getAsLong())
        : "; no traffic would do";
  }

  private static String lulls(
      RecentTraffic traffic, RecentTraffic.Client client, Duration longest) {
    return "%.0f %% of the requests come from %s, whose pauses are too long for a silence of up to"
            .formatted(
                100 * traffic.share(client.requests()),
                client.address().map(InetAddress::getHostAddress).orElse("an unknown address"))
        + " %d ms: it may be a proxy that keeps its connections".formatted(longest.toMillis());
  }

  /** Returns the window, in samples, that holds enough new connections; empty if none does. */
  private OptionalInt window(long[] connections, Duration longest) {
    return shortest(connections, dispersion(connections) * needed(connections, routers), longest);
  }

  /** Returns the shortest window each of which held {@code needed}, if its silence fits. */
  private static OptionalInt shortest(long[] arrivals, double needed, Duration longest) {
    return IntStream.rangeClosed(RecentSeconds.EACH, arrivals.length)
        .takeWhile(window -> silence(window).compareTo(longest) <= 0)
        .filter(window -> leastIn(arrivals, window) >= Math.ceil(needed))
        .findFirst();
  }

  private static Duration silence(int window) {
    return Duration.ofMillis((long) (window * 1_000 * MARGIN / RecentSeconds.EACH));
  }

  /**
   * Returns the least rate, in new connections a second, at which some silence within {@code
   * longest} is evidence, for evenly spaced arrivals; empty if no rate suffices.
   */
  public OptionalLong leastRate(Duration longest) {
    double windows = Math.floor(longest.toMillis() / (1_000 * MARGIN / RecentSeconds.EACH));
    if (windows < RecentSeconds.EACH) {
      return OptionalLong.empty();
    }
    // Fixed-point iteration: what is needed depends on the rate. Converges from 0.
    double rate = 0;
    for (int i = 0; i < STEPS; i++) {
      rate = Math.ceil(needed(rate, routers)) * RecentSeconds.EACH / windows;
    }
    return OptionalLong.of((long) Math.ceil(rate));
  }

  /** Describes new connections for the log: their rate, and their bursts if they come in any. */
  private static String words(long[] connections) {
    double dispersion = dispersion(connections);
    return Math.round(RecentTraffic.rate(connections) * 10) / 10.0
        + " new connections a second"
        + (dispersion < BURSTY ? "" : " in bursts of some " + Math.round(dispersion));
  }

  /** Returns k for arrivals from {@code from} routers that are independent of each other. */
  private double needed(long[] arrivals, int from) {
    return needed(RecentTraffic.rate(arrivals), from);
  }

  private double needed(double rate, int from) {
    double later = rate * range.toMillis() / 1_000 / from;
    return from * Math.log((1 + later) / ERROR);
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
