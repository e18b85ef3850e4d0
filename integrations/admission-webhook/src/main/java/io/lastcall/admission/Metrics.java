package io.lastcall.admission;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts reviews, in the text format of Prometheus. Thread-safe. */
final class Metrics {
  /**
   * What the alert rules ask for is there from the start: an increase is seen only of a counter
   * that was 0 before.
   */
  private static final List<String> ALERTED =
      List.of(
          "answer=\"allowed\",reason=\"admit_after\"",
          "answer=\"denied\",reason=\"api_server\"",
          "answer=\"denied\",reason=\"bad_annotation\"",
          "answer=\"denied\",reason=\"garbage\"",
          "answer=\"denied\",reason=\"late\"",
          "answer=\"denied\",reason=\"refused\"",
          "answer=\"denied\",reason=\"unauthorized\"",
          "answer=\"denied\",reason=\"unreachable\"");

  private final Map<String, Long> counts = new TreeMap<>();

  Metrics() {
    for (String labels : ALERTED) {
      counts.put("verb=\"delete\"," + labels, 0L);
      counts.put("verb=\"evict\"," + labels, 0L);
    }
  }

  synchronized void count(String verb, Verdict verdict) {
    String labels =
        "verb=\"%s\",answer=\"%s\",reason=\"%s\""
            .formatted(verb, verdict.isAllowed() ? "allowed" : "denied", verdict.reason());
    counts.merge(labels, 1L, Long::sum);
  }

  synchronized String text() {
    StringBuilder text =
        new StringBuilder("# HELP lastcall_admission_reviews_total Reviews answered.\n")
            .append("# TYPE lastcall_admission_reviews_total counter\n");
    counts.forEach(
        (labels, count) ->
            text.append("lastcall_admission_reviews_total{%s} %d\n".formatted(labels, count)));
    return text.toString();
  }
}
