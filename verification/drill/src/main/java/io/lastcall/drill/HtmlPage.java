package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.picture.Page;
import io.lastcall.rollout.picture.PodPlot;
import io.lastcall.rollout.picture.TimeAxis;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The page with the picture: one file, no script, nothing fetched. */
final class HtmlPage {
  private HtmlPage() {}

  static String of(DrillResult result) throws IOException {
    StringBuilder html = new StringBuilder();
    html.append("<h1>A rolling update, without and with Lastcall</h1>\n")
        .append(introduction(result.settings()))
        .append(figures(result))
        .append(legend(result.settings()));
    for (String server : result.servers()) {
      html.append(section(server, result));
    }
    html.append(table(result));
    return Page.document("Rolling update, with and without Lastcall", html.toString());
  }

  private static String introduction(DrillSettings settings) {
    return format(
        """
        <p>Two replicas, each a JVM of its own, are replaced one after the other under %d arrivals per second, one in twenty \
        of them a pipelined pair, %.0f %% of them and all pairs on keep-alive connections. Each of %d nodes learns at its own time, up to %s after SIGTERM, that a pod is \
        going%s; until then it opens new connections to it. Established connections stay until the server ends them. \
        Grace period %s, propagation delay %s.</p>
        """,
        settings.rate(),
        settings.keepAliveShare() * 100,
        settings.nodes(),
        seconds(settings.maxLateness()),
        settings.neverLeave() == 0 ? "" : ", and " + settings.neverLeave() + " never do",
        seconds(settings.grace()),
        seconds(settings.delay()));
  }

  private static String seconds(Duration duration) {
    return format("%.1f s", duration.toMillis() / 1e3).replace(".0 s", " s");
  }

  /** The one number per server and mode that matters. */
  private static String figures(DrillResult result) {
    StringBuilder html = new StringBuilder("<div class=\"figures\">\n");
    for (String server : result.servers()) {
      for (Mode mode : result.modes(server)) {
        List<RunResult> runs = result.runs(server, mode);
        long lost = runs.stream().mapToLong(run -> run.lost().size()).sum();
        long sent = runs.stream().mapToLong(run -> run.exchanges().size()).sum();
        html.append(
            format(
                "<p class=\"%s\"><b>%,d</b> of %,d lost%s<br>%s, %s</p>\n",
                runs.stream().allMatch(RunResult::passed) ? "none" : "bad",
                lost,
                sent,
                ResultTable.uncleanExits(runs),
                server,
                title(mode).toLowerCase(Locale.ROOT).replace("lastcall", "Lastcall")));
      }
    }
    return html.append("</div>\n").toString();
  }

  private static String legend(DrillSettings settings) {
    String excused =
        settings.neverLeave() == 0
            ? ""
            : "<li><i class=\"excused\"></i>refused or 503, since nodes never learn</li>\n";
    return Page.legend(excused);
  }

  private static String title(Mode mode) {
    return mode.title();
  }

  /** The picture of one server: the seed at which Lastcall did worst, or the first. */
  private static String section(String server, DrillResult result) {
    long seed =
        result.runs(server, Mode.LASTCALL).stream()
            .max(
                Comparator.comparingInt((RunResult run) -> run.lost().size())
                    .thenComparing(run -> run.uncleanExits().size())
                    .thenComparing(RunResult::seed, Comparator.reverseOrder()))
            .map(RunResult::seed)
            .orElse(result.settings().seed());
    List<RunResult> shown =
        result.runs().stream()
            .filter(run -> run.server().equals(server) && run.seed() == seed)
            .toList();
    TimeAxis axis = TimeAxis.over(shown.stream().map(RunResult::recording).toList());
    return format("<h2><span>%s</span> <small>seed %d</small></h2>\n", server, seed)
        + shown.stream().map(run -> figure(run, axis)).collect(Collectors.joining());
  }

  private static String figure(RunResult run, TimeAxis axis) {
    StringBuilder html = new StringBuilder("<figure>\n<figcaption>");
    html.append(
        format(
            "<b>%s</b> %,d sent, <span class=\"%s\">%,d lost%s</span>%s",
            title(run.mode()),
            run.exchanges().size(),
            run.passed() ? "none" : "bad",
            run.lost().size(),
            ResultTable.uncleanExits(List.of(run)),
            run.failures().isEmpty() ? "" : ": " + ResultTable.failures(run.failures())));
    html.append("</figcaption>\n");
    Predicate<Exchange> lost = each -> Verdict.isLost(each, run);
    run.pods().forEach(pod -> html.append(new PodPlot(run.recording(), lost, pod, axis).html()));
    return html.append(axis.labels()).append("</figure>\n").toString();
  }

  private static String table(DrillResult result) {
    StringBuilder html = new StringBuilder("<h2>All runs</h2>\n<div class=\"scroll\"><table>\n");
    html.append(row("th", ResultTable.heads()));
    ResultTable.rows(result).forEach(row -> html.append(row("td", row)));
    return html.append("</table></div>\n").toString();
  }

  static String row(String cell, List<String> texts) {
    return texts.stream()
        .map(text -> format("<%s>%s</%s>", cell, Page.escape(text), cell))
        .collect(Collectors.joining("", "<tr>", "</tr>\n"));
  }
}
