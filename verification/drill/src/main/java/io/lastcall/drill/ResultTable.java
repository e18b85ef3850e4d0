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

  /**
   * Milliseconds from which on the drill's own delay says more about the machine than about the
   * servers.
   */
  private static final double TOO_LATE = 50;

  private ResultTable() {}

  static List<List<String>> rows(DrillResult result) {
    return result.runs().stream().map(ResultTable::row).toList();
  }

  private static List<String> row(RunResult run) {
    Recording.Lateness late = run.recording().lateness();
    List<Exchange> after = run.recording().sentAfterSigterm();
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

  /** The table, aligned, and one line per mode that says who lost what. */
  static String of(DrillResult result) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(HEADS.stream().map(head -> head.contains("\n") ? upper(head) : "").toList());
    rows.add(HEADS.stream().map(ResultTable::lower).toList());
    rows.addAll(rows(result));
    return format("\n%s\n%s", align(rows), verdict(result));
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

  /** A line per server and mode that says who lost what, and what else there is to know. */
  static String verdict(DrillResult result) {
    StringBuilder text = new StringBuilder();
    for (String server : result.servers()) {
      for (Mode mode : result.modes(server)) {
        text.append(verdict(server, mode, result.runs(server, mode)));
      }
    }
    long late =
        result.runs().stream().filter(run -> run.recording().lateness().p99() > TOO_LATE).count();
    if (late > 0) {
      text.append(
          format(
              "In %d of %d runs the drill itself sent 1 %% of its requests more than %.0f ms late:"
                  + " this machine is too busy for --rate=%d.%n",
              late, result.runs().size(), TOO_LATE, result.settings().rate()));
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
