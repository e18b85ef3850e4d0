package io.lastcall.examples.drill;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The result as rows of text, for the terminal and for the page. */
final class ResultTable {
  /**
   * The column heads. Where a run has two figures, one per rolled pod, a slash stands between them.
   */
  static final List<String> HEADS =
      List.of(
          "server",
          "mode",
          "seed",
          "sent",
          "ok",
          "lost",
          "to terminating pods",
          "said close",
          "SIGTERM to exit, s",
          "last byte to exit, ms",
          "idle to exit, ms",
          "exit code",
          "SIGKILL",
          "late p99/max, ms",
          "failed by kind");

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

  /** The table, aligned, and one line that says who lost what. */
  static String of(DrillResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS);
    rows.addAll(rows(result));
    StringBuilder text = new StringBuilder("\n");
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        int at = column;
        int width = rows.stream().mapToInt(each -> each.get(at).length()).max().orElse(0);
        String pad = " ".repeat(width - row.get(column).length());
        boolean left = column < 2 || column == row.size() - 1;
        line.append(left ? row.get(column) + pad : pad + row.get(column)).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.append('\n').append(verdict(result)).append('\n').toString();
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
