package io.lastcall.plan;

import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A plan for the log: each setting's value, and where it is from.
 *
 * @param server whether there is a server; two defaults depend on it
 */
record PlanText(ShutdownPlan plan, boolean server) {
  String table() {
    String row = "  %-" + width(PlanValue::name) + "s  %-" + width(PlanValue::text);
    return rows()
        .map(each -> (row + "s  %s%n").formatted(each.name(), each.text(), each.sourceText()))
        .collect(Collectors.joining());
  }

  String line() {
    return rows()
        .map(each -> "%s %s (%s)".formatted(each.name(), each.text(), each.sourceText()))
        .collect(Collectors.joining("; "));
  }

  private Stream<PlanValue<?>> rows() {
    return plan.values().stream().map(row -> server ? row : withoutServer(row));
  }

  /** A server may yet be added. */
  private PlanValue<?> withoutServer(PlanValue<?> row) {
    if (row.isDefault() && row.name().equals(Setting.CLEAN_EXIT_CODE.name())) {
      return row.with(
          Integer.toString(ShutdownPlan.NOT_STARTED_EXIT_CODE),
          "by a signal, since there is no server yet; " + row.text() + " with one");
    }
    if (row.isDefault()
        && row.name().equals(Setting.PROPAGATION_DELAY.name())
        && !plan.propagationDelay().isZero()) {
      return row.with("0s", "since there is no server yet; " + row.text() + " with one");
    }
    return row;
  }

  private int width(Function<PlanValue<?>, String> column) {
    return rows().map(column).mapToInt(String::length).max().orElse(1);
  }
}
