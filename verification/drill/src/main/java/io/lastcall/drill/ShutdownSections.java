package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;
import static io.lastcall.rollout.picture.Page.escape;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is on the page of one shutdown: the outcome, the advice, the picture, the tables. */
final class ShutdownSections {
  private final ShutdownJson report;
  private final ShutdownJson requests;

  ShutdownSections(ShutdownJson report) {
    this.report = report;
    requests = report.object("requests");
  }

  String html() {
    return heading()
        + figures()
        + advice()
        + new ShutdownPlot(report).html()
        + phases()
        + steps()
        + unfinished();
  }

  private String heading() {
    ShutdownJson trigger = report.object("trigger");
    return format(
        "<h1>A shutdown: <span class=\"%s\">%s</span></h1>\n<p>Begun by %s at %s, over after %s,"
            + " %s.</p>\n",
        isClean() ? "none" : "bad",
        escape(report.text("outcome").toLowerCase(Locale.ROOT)),
        escape(trigger.text("reason")),
        escape(report.text("began")),
        seconds(report.number("took")),
        exitCode());
  }

  /** There is none of ours where somebody else's {@code System.exit} ended the process. */
  private String exitCode() {
    return report.has("exitCode")
        ? format("exit code %.0f", report.number("exitCode"))
        : "with an exit code set elsewhere";
  }

  private boolean isClean() {
    return report.text("outcome").equals("CLEAN");
  }

  private String figures() {
    String last = requests.has("lastArrival") ? seconds(requests.number("lastArrival")) : "none";
    return "<div class=\"figures\">\n"
        + figure(false, format("%,.0f", requests.number("served")), "served since the trigger")
        + figure(false, last, "last new request after the trigger")
        + figure(false, format("%,.0f", requests.number("late")), "late: after the delay")
        + bad("refused", "refused")
        + bad("abandoned", "abandoned")
        + "</div>\n";
  }

  private String bad(String name, String label) {
    double count = requests.number(name);
    return figure(count > 0, format("%,.0f", count), label);
  }

  private static String figure(boolean bad, String value, String label) {
    return format(
        "<p class=\"%s\"><b>%s</b><br>%s</p>\n", bad ? "bad" : "none", escape(value), label);
  }

  private String advice() {
    String items =
        report.objects("advice").stream()
            .map(advice -> format("<li>%s</li>\n", escape(advice.text("text"))))
            .collect(Collectors.joining());
    return items.isEmpty() ? "" : "<h2>Advice</h2>\n<ul class=\"advice\">\n" + items + "</ul>\n";
  }

  private String phases() {
    return table(
        "Phases",
        List.of("phase", "began", "planned", "took", ""),
        report.objects("phases").stream()
            .map(
                phase ->
                    List.of(
                        phase.text("phase"),
                        seconds(phase.number("began")),
                        seconds(phase.number("planned")),
                        seconds(phase.number("took")),
                        phase.flag("complete") ? "complete" : "incomplete"))
            .toList());
  }

  private String steps() {
    return table(
        "Steps",
        List.of("phase", "step", "began", "took", "result"),
        report.objects("steps").stream()
            .map(
                step ->
                    List.of(
                        step.text("phase"),
                        step.text("name"),
                        seconds(step.number("began")),
                        seconds(step.number("took")),
                        (step.text("result") + " " + step.text("failure")).strip()))
            .toList());
  }

  private String unfinished() {
    return table(
        "Requests that outlived DRAIN",
        List.of("request", "thread", "age"),
        report.objects("unfinished").stream()
            .map(
                request ->
                    List.of(
                        request.text("description"),
                        request.text("thread"),
                        request.has("age") ? seconds(request.number("age")) : ""))
            .toList());
  }

  private static String table(String title, List<String> heads, List<List<String>> rows) {
    if (rows.isEmpty()) {
      return "";
    }
    StringBuilder html =
        new StringBuilder("<h2>" + title + "</h2>\n<div class=\"scroll\"><table>\n");
    html.append(HtmlPage.row("th", heads));
    rows.forEach(row -> html.append(HtmlPage.row("td", row)));
    return html.append("</table></div>\n").toString();
  }

  static String seconds(double millis) {
    return format(millis < 999.5 ? "%.0f ms" : "%2$.2f s", millis, millis / 1_000);
  }
}
