package io.lastcall.report;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The report as aligned text, in milliseconds. Padded by hand: a format string costs more at its
 * first use than all the rest.
 */
final class ReportTable {
  private static final int NAMES = 2;

  private final ShutdownReport report;
  private final List<List<String>> rows = new ArrayList<>();

  ReportTable(ShutdownReport report) {
    this.report = report;
  }

  String text() {
    StringBuilder text = new StringBuilder(new ReportText(report).summary());
    phases();
    append(text);
    steps();
    append(text);
    for (Advice advice : report.advice()) {
      text.append("\n  advice: ").append(advice.text());
    }
    return text.toString();
  }

  private void phases() {
    rows.add(List.of("phase", "", "began ms", "planned ms", "took ms", ""));
    for (PhaseReport phase : report.phases()) {
      rows.add(
          List.of(
              phase.phase().name(),
              "",
              millis(phase.began()),
              millis(phase.planned()),
              millis(phase.took()),
              phase.complete() ? "complete" : "INCOMPLETE"));
    }
  }

  private void steps() {
    if (report.steps().isEmpty()) {
      return;
    }
    rows.add(List.of("step of", "", "began ms", "", "took ms", ""));
    for (StepReport step : report.steps()) {
      rows.add(
          List.of(
              step.phase().name(),
              step.name(),
              millis(step.began()),
              "",
              millis(step.took()),
              ReportText.result(step)));
    }
  }

  private static String millis(Duration duration) {
    return Long.toString(duration.toMillis());
  }

  /** Names to the left, numbers to the right, the last column as it is. */
  private void append(StringBuilder text) {
    if (rows.isEmpty()) {
      return;
    }
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int column = 0; column < columns; column++) {
        widths[column] = Math.max(widths[column], row.get(column).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        if (widths[column] > 0) {
          cell(line, row.get(column), column, column == columns - 1 ? 0 : widths[column]);
        }
      }
      text.append('\n').append(line.toString().stripTrailing());
    }
    rows.clear();
  }

  private static void cell(StringBuilder line, String value, int column, int width) {
    String padding = " ".repeat(Math.max(0, width - value.length()));
    line.append("  ").append(column < NAMES ? value + padding : padding + value);
  }
}
