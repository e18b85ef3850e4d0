package io.lastcall.examples.work.figures;

import io.lastcall.examples.work.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/** A row of the table. */
record Row(Client client, boolean isWithout, List<Trial> trials) {
  /** The latest that anything may begin after SIGTERM. */
  static final double LATEST_MILLIS = 50;

  static final String HEAD =
      """
      | Client | shutdowns | taken after SIGTERM | lost | hidden | done, and to be done again | begun, and to be begun again | last taken after, ms, median (max) | gone after, ms, median (max) | exit codes |
      |---|---|---|---|---|---|---|---|---|---|\
      """;

  /** Returns what does not hold of what must: nothing, of the row without. */
  List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    if (!isWithout) {
      add(wrong, "lost", sum(Trial::lost), 0);
      add(wrong, "hidden", sum(Trial::hidden), 0);
      add(wrong, "done twice", sum(Trial::twice), 0);
      trials.stream()
          .filter(trial -> !client.isRecord() || trial.takenAfterSigterm().size() > 1)
          .mapToDouble(Trial::lastTakenMillis)
          .max()
          .ifPresent(last -> add(wrong, "last begun after, ms,", last, LATEST_MILLIS));
      trials.stream()
          .map(Trial::exitCode)
          .filter(code -> code != client.exitCode())
          .forEach(code -> wrong.add(name() + ": exit code " + code));
    }
    return wrong;
  }

  private void add(List<String> wrong, String what, double number, double most) {
    if (number > most) {
      wrong.add(String.format(Locale.ROOT, "%s: %s %.1f > %.0f", name(), what, number, most));
    }
  }

  private String name() {
    return client.name() + (isWithout ? ", without" : "");
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
            name(),
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
