package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The result as rows of text, for the terminal and for the page. */
final class ResultTable {
  /** All of them, for the page. A slash stands between the figures of two rolled pods. */
  private static final List<Column> COLUMNS =
      List.of(
          new Column("server", true, RunResult::server),
          new Column("mode", true, run -> run.mode().label()),
          new Column("seed", true, run -> Long.toString(run.seed())),
          new Column("sent", true, run -> Integer.toString(run.exchanges().size())),
          new Column("ok", false, run -> Long.toString(run.count(Outcome.OK))),
          new Column("lost", true, run -> Integer.toString(run.lost().size())),
          new Column("after\nSIGTERM", false, run -> Integer.toString(afterSigterm(run).size())),
          new Column("said\nclose", false, ResultTable::saidClose),
          new Column(
              "SIGTERM to\nexit, s",
              true,
              run -> perPod(run, end -> format("%.2f", end.secondsToExit()))),
          new Column("last byte\nto exit, ms", false, ResultTable::lastByteToExit),
          new Column("idle to\nexit, ms", false, ResultTable::idleToExit),
          new Column(
              "exit\ncode", true, run -> perPod(run, end -> Integer.toString(end.exitCode()))),
          new Column("SIGKILL", false, run -> perPod(run, end -> end.killed() ? "yes" : "no")),
          new Column("own delay\np99/max, ms", false, ResultTable::ownDelay),
          new Column("failed\nby kind", true, run -> failures(run.failures())));

  /** What the terminal says of its columns. */
  private static final String EXPLANATION =
      """
      A slash stands between the two pods of a run. naive: the same server without Lastcall; exit code 143: a JVM that SIGTERM ended.
      refused: no connection; reset, eof: the connection ended before the response; truncated: within it.
      """;

  /**
   * Milliseconds from which on the drill's own delay says more about the machine than about the
   * servers.
   */
  private static final double TOO_LATE = 50;

  private ResultTable() {}

  /**
   * A figure of a run.
   *
   * @param head one line, or two
   * @param brief whether the terminal shows it too
   */
  private record Column(String head, boolean brief, Function<RunResult, String> figure) {}

  static List<String> heads() {
    return COLUMNS.stream().map(Column::head).toList();
  }

  static List<List<String>> rows(DrillResult result) {
    return rows(result, COLUMNS);
  }

  private static List<List<String>> rows(DrillResult result, List<Column> columns) {
    return result.runs().stream()
        .map(run -> columns.stream().map(column -> column.figure().apply(run)).toList())
        .toList();
  }

  private static List<Exchange> afterSigterm(RunResult run) {
    return run.recording().sentAfterSigterm();
  }

  private static String saidClose(RunResult run) {
    return Long.toString(afterSigterm(run).stream().filter(Exchange::close).count());
  }

  private static String ownDelay(RunResult run) {
    Recording.Lateness late = run.recording().lateness();
    return format("%.0f/%.0f", late.p99(), late.max());
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
    if (!run.mode().isDrained()) {
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

  /** The table for the terminal, aligned, with what its columns mean. */
  static String of(DrillResult result) {
    List<Column> columns = COLUMNS.stream().filter(Column::brief).toList();
    List<String> heads = columns.stream().map(Column::head).toList();
    List<List<String>> rows = new ArrayList<>();
    rows.add(heads.stream().map(head -> head.contains("\n") ? upper(head) : "").toList());
    rows.add(heads.stream().map(ResultTable::lower).toList());
    rows.addAll(rows(result, columns));
    return format("\n%s\n%s", align(rows), EXPLANATION);
  }

  private static String upper(String head) {
    return head.substring(0, head.indexOf('\n'));
  }

  private static String lower(String head) {
    return head.substring(head.indexOf('\n') + 1);
  }

  private static String align(List<List<String>> rows) {
    int columns = rows.get(0).size();
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

  /** Whether the machine was too busy; then a line per server and mode that says who lost what. */
  static String verdict(DrillResult result) {
    StringBuilder text = new StringBuilder();
    long late =
        result.runs().stream().filter(run -> run.recording().lateness().p99() > TOO_LATE).count();
    if (late > 0) {
      text.append(
          format(
              "In %d of %d runs the drill itself sent 1 %% of its requests more than %.0f ms late:"
                  + " this machine is too busy for --rate=%d.%n",
              late, result.runs().size(), TOO_LATE, result.settings().rate()));
    }
    for (String server : result.servers()) {
      for (Mode mode : result.modes(server)) {
        text.append(verdict(server, mode, result.runs(server, mode)));
      }
    }
    return text.toString();
  }

  private static String verdict(String server, Mode mode, List<RunResult> runs) {
    long sent = runs.stream().mapToLong(run -> run.exchanges().size()).sum();
    long lost = runs.stream().mapToLong(run -> run.lost().size()).sum();
    return format(
        "%-8s %s Lastcall: %,6d of %,d requests lost%s%s%n",
        server,
        switch (mode) {
          case NAIVE -> "without";
          case LASTCALL -> "with   ";
          case AGENT -> "agent  ";
        },
        lost,
        sent,
        uncleanExits(runs),
        excused(runs));
  }

  /** Those that are not as they should be, each behind a comma; empty if all are. */
  static String uncleanExits(List<RunResult> runs) {
    Map<String, Integer> counts = new TreeMap<>();
    for (RunResult run : runs) {
      run.uncleanExits().stream()
          .map(end -> end.killed() ? "SIGKILL" : "exit code " + end.exitCode())
          .distinct()
          .forEach(end -> counts.merge(end, 1, Integer::sum));
    }
    return counts.entrySet().stream()
        .map(each -> format(", %s in %d of %d runs", each.getKey(), each.getValue(), runs.size()))
        .collect(Collectors.joining());
  }

  /** What failed and is no loss, since some nodes never learn. */
  private static String excused(List<RunResult> runs) {
    long refused = 0;
    long unavailable = 0;
    double first = Double.MAX_VALUE;
    for (RunResult run : runs) {
      for (Exchange exchange : run.exchanges()) {
        if (exchange.failed() && !Verdict.isLost(exchange, run)) {
          boolean late = exchange.outcome() == Outcome.UNAVAILABLE;
          unavailable += late ? 1 : 0;
          refused += late ? 0 : 1;
          first = late ? Math.min(first, run.secondsAfterSigterm(exchange)) : first;
        }
      }
    }
    return (refused == 0 ? "" : format("; %d refused to nodes that never learn", refused))
        + (unavailable == 0
            ? ""
            : format("; %d answered 503, the first %.2f s after SIGTERM", unavailable, first));
  }
}
