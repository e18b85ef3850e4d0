package io.lastcall.benchmarks;

import io.lastcall.propagation.SilenceCriterion;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/**
 * How often a wait that ends on silence ends falsely, that is, a request comes after it: the table
 * of docs/adaptive-propagation.md. Of n routers all have heard when the responses say close, but
 * for one, which never hears: the worst case of the promise.
 */
public final class FalseEarly {
  /** As {@link SilenceCriterion} has it. */
  private static final double ERROR = 0.01;

  private static final double MINIMUM = 3;
  private static final double MAXIMUM = 15;

  private static final long SEED = 20_26_11;

  private FalseEarly() {}

  /**
   * Prints the table.
   *
   * @param arguments how many shutdowns per cell; default 5,000
   */
  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5_000;
    System.out.printf(
        Locale.ROOT,
        "%,d shutdowns for each row; promised: at most %.1f %%%n%n",
        runs,
        100 * ERROR);
    System.out.println(
        "| Traffic | Requests/s | Routers | Naive: false | Ours: false | Ours: early if all have"
            + " heard | Mean wait then |");
    System.out.println("|---|---|---|---|---|---|---|");
    for (int routers : new int[] {1, 10, 100}) {
      double busy = routers == 100 ? 1_000 : 100;
      for (Traffic traffic : traffics(busy)) {
        row(traffic, routers, routers, runs);
      }
    }
    row(steady("steady, but propagation-routers=10", 100), 100, 10, runs);
  }

  private static List<Traffic> traffics(double busy) {
    return List.of(
        steady("steady", busy),
        new Traffic("batches of 5 from one router", busy, 5, 0, 0, false),
        new Traffic("batches of 20 from one router", 10 * busy, 20, 0, 0, false),
        new Traffic("each router bursts, 0.5 of 3 s", busy, 1, 0.5, 2.5, false),
        new Traffic("each router bursts, 0.5 of 3 s", 10 * busy, 1, 0.5, 2.5, false),
        new Traffic("each router bursts, 2 of 20 s", 10 * busy, 1, 2, 18, false),
        new Traffic("all burst together, 0.5 of 1 s", 10 * busy, 1, 0.5, 0.5, true),
        steady("low, steady", 2),
        steady("very low, steady", 0.2));
  }

  private static Traffic steady(String name, double rate) {
    return new Traffic(name, rate, 1, 0, 0, false);
  }

  /**
   * @param told what propagation-routers says
   */
  private static void row(Traffic traffic, int routers, int told, int runs) {
    SplittableRandom random = new SplittableRandom(SEED);
    SilenceCriterion criterion = new SilenceCriterion(told, seconds(MAXIMUM - MINIMUM));
    int naiveFalse = 0;
    int oursFalse = 0;
    int early = 0;
    double waited = 0;
    for (int run = 0; run < runs; run++) {
      Traffic.Sample sample = traffic.sample(routers, MAXIMUM, random);
      double ours =
          silence(sample, history -> criterion.silence(history, seconds(MAXIMUM - MINIMUM)));
      naiveFalse += isFalse(sample.slow(), silence(sample, FalseEarly::naive)) ? 1 : 0;
      oursFalse += isFalse(sample.slow(), ours) ? 1 : 0;
      boolean endsEarly = MINIMUM + ours < MAXIMUM;
      early += endsEarly ? 1 : 0;
      waited += endsEarly ? MINIMUM + ours : MAXIMUM;
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %d | %.2f %% | %.2f %% | %.1f %% | %.1f s |%n",
        traffic.name(),
        traffic.rate() < 1 ? "0.2" : Long.toString(Math.round(traffic.rate())),
        routers,
        100.0 * naiveFalse / runs,
        100.0 * oursFalse / runs,
        100.0 * early / runs,
        waited / runs);
  }

  private static double silence(
      Traffic.Sample sample, Function<long[], Optional<Duration>> criterion) {
    return criterion
        .apply(sample.perSecond())
        .map(silence -> silence.toNanos() / 1e9)
        .orElse(MAXIMUM);
  }

  /** Silence that would have been cut by the mean rate with all but the error's probability. */
  private static Optional<Duration> naive(long[] history) {
    long total = 0;
    for (long second : history) {
      total += second;
    }
    return total == 0
        ? Optional.empty()
        : Optional.of(seconds(Math.min(MAXIMUM, -Math.log(ERROR) * history.length / total)));
  }

  /** The same rule as in KEEP_SERVING: silence counts from the minimum or the last arrival. */
  private static boolean isFalse(List<Double> arrivals, double silence) {
    double quietSince = MINIMUM;
    for (double arrival : arrivals) {
      if (arrival > quietSince + silence) {
        return quietSince + silence < MAXIMUM;
      }
      quietSince = Math.max(quietSince, arrival);
    }
    return false;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
