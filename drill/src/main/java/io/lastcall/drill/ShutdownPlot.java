package io.lastcall.drill;

import static io.lastcall.drill.HtmlPage.escape;
import static io.lastcall.drill.RootLocale.format;

import java.util.List;
import java.util.Locale;

/** Draws one shutdown over time: phases and steps as bands, what was open and what came below. */
final class ShutdownPlot {
  private static final int HEIGHT = 90;
  private static final double NARROWEST_LABEL = 0.07;
  private static final long SECOND = 1_000_000_000L;

  private final ShutdownJson report;
  private final ShutdownJson traffic;
  private final long interval;
  private final TimeAxis axis;

  ShutdownPlot(ShutdownJson report) {
    this.report = report;
    traffic = report.object("traffic");
    interval = Math.max(1, traffic.nanos("interval"));
    long end = Math.max(report.nanos("took"), SECOND / 10);
    axis = new TimeAxis(end / 50, end + end / 50);
  }

  String html() {
    StringBuilder html = new StringBuilder("<h2>Over time, from the trigger</h2>\n<figure>\n");
    html.append("<p class=\"caption\"><b>phases</b></p>\n").append(phases()).append(steps());
    curve(html, "requests in flight", "inFlight", false);
    histogram(html, "requests that arrived", "arrivals", "refused");
    curve(html, "HTTP connections open", "httpConnections", true);
    curve(html, "long-lived connections open", "longLived", true);
    histogram(html, "long-lived connections that closed", "closings", "");
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

  /** Steps from sample to sample. A curve that is never above zero says nothing. */
  private void curve(StringBuilder html, String title, String name, boolean optional) {
    List<Double> values = traffic.numbers(name);
    double top = top(values);
    if (values.isEmpty() || (optional && top == 0)) {
      return;
    }
    StringBuilder area = new StringBuilder(format("M%d %d", axis.x(0), HEIGHT));
    for (int i = 0; i < values.size(); i++) {
      area.append(format("V%.1fH%d", y(values.get(i), top), axis.x((i + 1) * interval)));
    }
    area.append(format("V%dZ", HEIGHT));
    plot(html, format("<b>%s</b>, at most %,.0f", title, top), path("curve", area.toString()));
  }

  private void histogram(StringBuilder html, String title, String name, String badName) {
    List<Double> values = traffic.numbers(name);
    double sum = values.stream().mapToDouble(Double::doubleValue).sum();
    if (sum == 0) {
      return;
    }
    double top = top(values);
    String content = path("bars", bars(values, top));
    if (!badName.isEmpty()) {
      content += path("bars refused", bars(traffic.numbers(badName), top));
    }
    plot(
        html,
        format(
            "<b>%s</b>, %,.0f, at most %,.0f in %s",
            title, sum, top, ShutdownSections.seconds(interval / 1e6)),
        content);
  }

  private String bars(List<Double> values, double top) {
    StringBuilder bars = new StringBuilder();
    for (int i = 0; i < values.size(); i++) {
      if (values.get(i) > 0) {
        int left = axis.x(i * interval);
        int width = Math.max(1, axis.x((i + 1) * interval) - left);
        bars.append(
            format("M%d %dV%.1fh%dV%dZ", left, HEIGHT, y(values.get(i), top), width, HEIGHT));
      }
    }
    return bars.toString();
  }

  private void plot(StringBuilder html, String caption, String content) {
    html.append("<p class=\"caption\">").append(caption).append("</p>\n");
    html.append(
        format(
            "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" style=\"height:%dpx\">\n",
            TimeAxis.UNITS, HEIGHT, HEIGHT));
    html.append(path("grid", axis.grid(HEIGHT))).append(content).append(edges()).append("</svg>\n");
  }

  /** The trigger, the end of the delay, and the end. */
  private String edges() {
    long delay =
        report.objects("phases").stream()
            .filter(phase -> phase.text("phase").equals("KEEP_SERVING"))
            .mapToLong(phase -> phase.nanos("began") + phase.nanos("took"))
            .findFirst()
            .orElse(0);
    return path("sigterm", format("M%d 0v%d", axis.x(0), HEIGHT))
        + path("sigterm", format("M%d 0v%d", axis.x(delay), HEIGHT))
        + path("exit", format("M%d 0v%d", axis.x(report.nanos("took")), HEIGHT));
  }

  private static double top(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  /** A little room above the top. */
  private static double y(double value, double top) {
    return HEIGHT - (HEIGHT - 4) * value / Math.max(1, top);
  }

  private static String path(String kind, String data) {
    return data.isEmpty() ? "" : format("<path class=\"%s\" d=\"%s\"/>\n", kind, data);
  }
}
