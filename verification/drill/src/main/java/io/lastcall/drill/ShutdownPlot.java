package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;
import static io.lastcall.rollout.picture.Page.escape;

import io.lastcall.rollout.picture.TimeAxis;
import java.util.Locale;

/** Draws the phases and steps of one shutdown over time, as bands. */
final class ShutdownPlot {
  private static final double NARROWEST_LABEL = 0.07;
  private static final long SECOND = 1_000_000_000L;

  private final ShutdownJson report;
  private final TimeAxis axis;

  ShutdownPlot(ShutdownJson report) {
    this.report = report;
    long end = Math.max(report.nanos("took"), SECOND / 10);
    axis = new TimeAxis(end / 50, end + end / 50);
  }

  String html() {
    StringBuilder html = new StringBuilder("<h2>Over time, from the trigger</h2>\n<figure>\n");
    html.append("<p class=\"caption\"><b>phases</b></p>\n").append(phases()).append(steps());
    return html.append(axis.labels()).append("</figure>\n").toString();
  }

  private String phases() {
    StringBuilder html = new StringBuilder("<div class=\"bands\">");
    for (ShutdownJson phase : report.objects("phases")) {
      band(html, phase.text("phase"), label(phase.text("phase")), phase);
    }
    return html.append("</div>\n").toString();
  }

  private static String label(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /** A row each: steps run side by side. Named in the caption, since most are too short for it. */
  private String steps() {
    StringBuilder html = new StringBuilder();
    for (ShutdownJson step : report.objects("steps")) {
      boolean completed = step.text("result").equals("COMPLETED");
      html.append(
          format(
              "<p class=\"caption\"><b>%s</b>, step of %s: <span class=\"%s\">%s</span></p>\n",
              escape(step.text("name")),
              escape(label(step.text("phase"))),
              completed ? "none" : "bad",
              escape(label(step.text("result")))));
      html.append("<div class=\"bands step\">");
      band(html, step.text("phase"), "", step);
      html.append("</div>\n");
    }
    return html.toString();
  }

  private void band(StringBuilder html, String kind, String label, ShutdownJson what) {
    long from = what.nanos("began");
    long to = from + what.nanos("took");
    double width = (double) (axis.x(to) - axis.x(from)) / TimeAxis.UNITS;
    html.append(
        format(
            "<span class=\"%s\" style=\"left:%s;width:%.2f%%\" title=\"%s, %s\">%s</span>",
            escape(kind.toLowerCase(Locale.ROOT)),
            axis.percent(from),
            width * 100,
            escape(label.isEmpty() ? what.text("name") : label),
            ShutdownSections.seconds(what.number("took")),
            width < NARROWEST_LABEL ? "" : escape(label)));
  }
}
