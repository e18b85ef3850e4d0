package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.Trial;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A row of the table. */
record Row(String name, List<Trial> trials) {
  /** The latest that anything may begin after SIGTERM. */
  private static final double LATEST_MILLIS = 50;

  static final String HEAD =
      """
      | Client | shutdowns | taken after SIGTERM | lost | hidden | done, and to be done again | begun, and to be begun again | last taken after, ms, median (max) | gone after, ms, median (max) | exit codes |
      |---|---|---|---|---|---|---|---|---|---|\
      """;

  /** Returns whether nothing was lost, doubled or late. */
  boolean isRight() {
    return sum(trial -> trial.missing().size() + trial.twice()) == 0
        && max(Trial::lastTakenMillis) <= LATEST_MILLIS;
  }

  private long sum(ToLongFunction<Trial> number) {
    return trials.stream().mapToLong(number).sum();
  }

  private double max(ToDoubleFunction<Trial> number) {
    return trials.stream().mapToDouble(number).max().orElseThrow();
  }

  private String medianAndMax(ToDoubleFunction<Trial> number) {
    double[] sorted = trials.stream().mapToDouble(number).sorted().toArray();
    return String.format(Locale.ROOT, "%.1f (%.1f)", sorted[sorted.length / 2], max(number));
  }

  @Override
  public String toString() {
    List<Integer> codes = trials.stream().map(Trial::exitCode).distinct().sorted().toList();
    return "| %s | %d | %d | %d | %d | %d | %d | %s | %s | %s |"
        .formatted(
            name,
            trials.size(),
            sum(trial -> trial.takenAfterSigterm().size()),
            sum(Trial::lost),
            sum(Trial::hidden),
            sum(Trial::twice),
            sum(trial -> trial.handedBack().size()),
            medianAndMax(Trial::lastTakenMillis),
            medianAndMax(Trial::exitMillis),
            codes.toString().replaceAll("[\\[\\]]", ""));
  }
}
