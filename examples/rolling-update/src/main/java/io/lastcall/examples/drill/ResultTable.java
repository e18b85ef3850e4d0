package io.lastcall.examples.drill;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The result as rows of text, for the terminal and for the page. */
final class ResultTable {
  /** The column heads, two lines each. A slash stands between the figures of two rolled pods. */
  static final List<String> HEADS =
      List.of(
          "server",
          "mode",
          "seed",
          "sent",
          "ok",
          "lost",
          "after\nSIGTERM",
          "said\nclose",
          "SIGTERM to\nexit, s",
          "last byte\nto exit, ms",
          "idle to\nexit, ms",
          "exit\ncode",
          "SIGKILL",
          "own delay\np99/max, ms",
          "failed\nby kind");

  private ResultTable() {}

  static List<List<String>> rows(DrillResult result) {
    return result.runs().stream().map(ResultTable::row).toList();
  }

  private static List<String> row(RunResult run) {
    RunResult.Lateness late = run.lateness();
    List<Exchange> after = run.sentAfterSigterm();
    return List.of(
        run.server(),
        run.mode().label(),
        Long.toString(run.seed()),
        Integer.toString(run.exchanges().size()),
        Long.toString(run.count(Outcome.OK)),
        Integer.toString(run.lost().size()),
        Integer.toString(after.size()),
        Long.toString(after.stream().filter(Exchange::close).count()),
        perPod(run, end -> format("%.2f", end.secondsToExit())),
        lastByteToExit(run),
        idleToExit(run),
        perPod(run, end -> Integer.toString(end.exitCode())),
        perPod(run, end -> end.killed() ? "yes" : "no"),
        format("%.0f/%.0f", late.p99(), late.max()),
        failures(run.failures()));
  }

  private static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  private static String perPod(RunResult run, Function<PodHistory.Termination, String> figure) {
    return run.terminations().stream().map(figure).collect(Collectors.joining("/"));
  }

  private static String lastByteToExit(RunResult run) {
    return run.pods().stream()
        .flatMap(
            pod ->
                pod.termination().stream()
                    .map(end -> format("%.0f", (end.gone() - run.lastByte(pod, end)) / 1e6)))
        .collect(Collectors.joining("/"));
  }

  /** From the end of the delay or the last byte, whichever is later: what the exit itself costs. */
  private static String idleToExit(RunResult run) {
    if (run.mode() == Mode.NAIVE) {
      return "-";
    }
    List<String> figures = new ArrayList<>();
    for (PodHistory pod : run.pods()) {
      pod.termination()
          .ifPresent(
              end -> {
                long delayed = end.sigterm() + run.settings().delay().toNanos();
                long idle = Math.max(delayed, run.lastByte(pod, end));
                figures.add(format("%.0f", (end.gone() - idle) / 1e6));
              });
    }
    return String.join("/", figures);
  }

  static String failures(Map<Outcome, Long> failures) {
    return failures.isEmpty()
        ? "none"
        : failures.entrySet().stream()
            .map(entry -> entry.getValue() + " " + entry.getKey().label())
            .collect(Collectors.joining(", "));
  }

  /** The table, aligned, and one line per mode that says who lost what. */
  static String of(DrillResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS.stream().map(head -> head.contains("\n") ? upper(head) : "").toList());
    rows.add(HEADS.stream().map(ResultTable::lower).toList());
    rows.addAll(rows(result));
    return "\n%s\n%s\n".formatted(align(rows), verdict(result));
  }

  private static String upper(String head) {
    return head.substring(0, head.indexOf('\n'));
  }

  private static String lower(String head) {
    return head.substring(head.indexOf('\n') + 1);
  }

  private static String align(List<List<String>> rows) {
    int columns = HEADS.size();
    int[] widths = new int[columns];
    rows.forEach(
        row -> Arrays.setAll(widths, column -> Math.max(widths[column], row.get(column).length())));
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < columns; column++) {
        String cell = row.get(column);
        String pad = " ".repeat(widths[column] - cell.length());
        boolean words = column < 2 || column == columns - 1;
        line.append(words ? cell + pad : pad + cell).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }

  static String verdict(DrillResult result) {
    return result.settings().modes().stream()
        .map(mode -> verdict(mode, result))
        .collect(Collectors.joining("\n"));
  }

  private static String verdict(Mode mode, DrillResult result) {
    List<RunResult> runs = result.runs().stream().filter(run -> run.mode() == mode).toList();
    long sent = runs.stream().mapToLong(run -> run.exchanges().size()).sum();
    long lost = runs.stream().mapToLong(run -> run.lost().size()).sum();
    long killed = runs.stream().filter(RunResult::killed).count();
    return format(
        "%s %d of %,d requests lost%s",
        mode == Mode.NAIVE ? "Without Lastcall:" : "With Lastcall:   ",
        lost,
        sent,
        killed == 0 ? "" : ", SIGKILL in " + killed + " of " + runs.size() + " runs");
  }
}
