package io.lastcall.examples.cluster.figures;

import io.lastcall.examples.cluster.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A row of a table. */
record Row(Kind kind, String name, List<Outcome> outcomes) {
  boolean isRight() {
    return outcomes.stream().allMatch(outcome -> outcome.wrong().isEmpty());
  }

  private String medianAndP99(ToDoubleFunction<Outcome> number) {
    double[] sorted = outcomes.stream().mapToDouble(number).sorted().toArray();
    int p99 = (int) Math.ceil(0.99 * sorted.length) - 1;
    return String.format(Locale.ROOT, "%.1f (%.1f)", sorted[sorted.length / 2], sorted[p99]);
  }

  @Override
  public String toString() {
    List<Integer> codes = outcomes.stream().map(Outcome::exitCode).distinct().sorted().toList();
    return "| %s | %d | %d | %s | %s | %s | %s |"
        .formatted(
            name,
            outcomes.size(),
            outcomes.stream().mapToInt(outcome -> outcome.wrong().size()).sum(),
            medianAndP99(Outcome::handOverMillis),
            medianAndP99(Outcome::pauseMillis),
            medianAndP99(Outcome::goneMillis),
            codes.toString().replaceAll("[\\[\\]]", ""));
  }
}
