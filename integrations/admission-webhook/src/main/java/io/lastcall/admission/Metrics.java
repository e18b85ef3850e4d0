package io.lastcall.admission;

import java.util.Map;
import java.util.TreeMap;

/** Counts reviews, in the text format of Prometheus. Thread-safe. */
final class Metrics {
  private final Map<String, Long> counts = new TreeMap<>();

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
