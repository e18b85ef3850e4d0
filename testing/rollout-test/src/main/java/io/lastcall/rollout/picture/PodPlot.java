package io.lastcall.rollout.picture;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.PhaseLog;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.PodPhase;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Draws one pod: a lane per node, in the order in which the nodes stop routing here; requests from
 * sent to ended; the phases as bands; failures on top of everything.
 */
public final class PodPlot {
  private static final double OLD_LANES = 132;
  private static final double REPLACEMENT_LANES = 16;
  private static final double NARROWEST_LABEL = 0.07;

  private final Recording run;
  private final Predicate<Exchange> lost;
  private final PodHistory pod;
  private final TimeAxis axis;
  private final int height;
  private final double[] laneOfNode;

  /**
   * Prepares; {@link #html} draws.
   *
   * @param lost which of the failures count
   */
  public PodPlot(Recording run, Predicate<Exchange> lost, PodHistory pod, TimeAxis axis) {
    this.run = run;
    this.lost = lost;
    this.pod = pod;
    this.axis = axis;
    this.height = (int) (pod.termination().isPresent() ? OLD_LANES : REPLACEMENT_LANES);
    this.laneOfNode = lanes();
  }

  private double[] lanes() {
    int count = run.nodes();
    List<Integer> order = new ArrayList<>(IntStream.range(0, count).boxed().toList());
    pod.termination().ifPresent(end -> order.sort(Comparator.comparing(end.leaves()::get)));
    double[] lanes = new double[count];
    for (int place = 0; place < count; place++) {
      lanes[order.get(place)] = (place + 0.5) * height / count;
    }
    return lanes;
  }

  public String html() {
    StringBuilder html = new StringBuilder("<div class=\"pod\">\n<p class=\"caption\">");
    html.append(caption()).append("</p>\n");
    pod.termination().ifPresent(end -> html.append(bands(end)));
    html.append(
        format(
            "<svg class=\"%s\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" style=\"height:%dpx\">\n",
            pod.termination().isPresent() ? "old" : "new", TimeAxis.UNITS, height, height));
    pod.termination().ifPresent(end -> html.append(ground(end)));
    html.append(path("grid", axis.grid(height)));
    html.append(requests());
    pod.termination().ifPresent(end -> html.append(edges(end)));
    return html.append(failures()).append("</svg>\n</div>\n").toString();
  }

  private String caption() {
    String name = "<b>pod " + (pod.index() + 1) + "</b>";
    if (pod.termination().isEmpty()) {
      return format(
          "%s, a replacement: routed to from %.1f s",
          name, Math.max(0, seconds(since(pod.joined()))));
    }
    PodHistory.Termination end = pod.termination().get();
    long count =
        run.exchanges().stream().filter(each -> each.pod() == pod.index()).filter(lost).count();
    return format(
        "%s: SIGTERM at %.1f s, %s after %.2f s, exit code %d, <span class=\"%s\">%d lost</span>",
        name,
        seconds(since(end.sigterm())),
        end.killed() ? "SIGKILL" : "gone",
        end.secondsToExit(),
        end.exitCode(),
        count == 0 ? "none" : "bad",
        count);
  }

  private long since(long time) {
    return time - run.origin();
  }

  private static double seconds(long nanos) {
    return nanos / 1e9;
  }

  /** The strip of phases above the lanes. */
  private String bands(PodHistory.Termination end) {
    StringBuilder html = new StringBuilder("<div class=\"bands\">");
    band(html, "serving", "serving", -axis.before(), since(end.sigterm()));
    List<PhaseLog.Mark> marks = end.phases();
    for (int index = 0; index < marks.size(); index++) {
      PodPhase phase = marks.get(index).phase();
      // The first phase begins with the signal; its log line comes a little later.
      long from = index == 0 ? end.sigterm() : marks.get(index).time();
      long to = index + 1 < marks.size() ? marks.get(index + 1).time() : end.gone();
      band(html, phase.name().toLowerCase(Locale.ROOT), phase.label(), since(from), since(to));
    }
    if (marks.isEmpty()) {
      band(html, "exit", "exit", since(end.sigterm()), since(end.gone()));
    }
    band(html, "gone", "process gone", since(end.gone()), axis.after());
    return html.append("</div>\n").toString();
  }

  private void band(StringBuilder html, String kind, String label, long from, long to) {
    double width = (double) (axis.x(to) - axis.x(from)) / TimeAxis.UNITS;
    html.append(
        format(
            "<span class=\"%s\" style=\"left:%s;width:%.2f%%\" title=\"%s, %.3f s\">%s</span>",
            kind,
            axis.percent(from),
            width * 100,
            label,
            seconds(to - from),
            width < NARROWEST_LABEL ? "" : label));
  }

  /**
   * Behind the requests: where nodes still route here after SIGTERM, and where no process is left.
   */
  private String ground(PodHistory.Termination end) {
    StringBuilder area = new StringBuilder(format("M%d 0", axis.x(since(end.sigterm()))));
    double half = 0.5 * height / run.nodes();
    IntStream.range(0, laneOfNode.length)
        .boxed()
        .sorted(Comparator.comparing(node -> laneOfNode[node]))
        .forEach(
            node -> {
              area.append(format("L%d %s", leaveX(end, node), y(laneOfNode[node] - half)));
              area.append(format("v%s", y(2 * half)));
            });
    area.append(format("H%dZ", axis.x(since(end.sigterm()))));
    int gone = axis.x(since(end.gone()));
    return format(
            "<path class=\"dead\" d=\"M%d 0H%dV%dH%dZ\"/>\n", gone, TimeAxis.UNITS, height, gone)
        + path("routed", area.toString());
  }

  private int leaveX(PodHistory.Termination end, int node) {
    long leave = end.leaves().get(node);
    return leave == ClusterNode.NEVER ? TimeAxis.UNITS : axis.x(since(leave));
  }

  /** SIGTERM, the end of the process, and a tick where each node leaves. */
  private String edges(PodHistory.Termination end) {
    StringBuilder ticks = new StringBuilder();
    double lane = (double) height / run.nodes();
    for (int node = 0; node < laneOfNode.length; node++) {
      if (end.leaves().get(node) != ClusterNode.NEVER) {
        ticks.append(
            format("M%d %sv%s", leaveX(end, node), y(laneOfNode[node] - lane / 2), y(lane)));
      }
    }
    return path("leave", ticks.toString())
        + path("sigterm", format("M%d 0v%d", axis.x(since(end.sigterm())), height))
        + path("exit", format("M%d 0v%d", axis.x(since(end.gone())), height));
  }

  private String requests() {
    StringBuilder before = new StringBuilder();
    StringBuilder after = new StringBuilder();
    for (Exchange exchange : run.exchanges()) {
      if (isHere(exchange) && !exchange.failed()) {
        (run.isAfterSigterm(exchange) ? after : before).append(line(exchange));
      }
    }
    return path("before", before.toString()) + path("after", after.toString());
  }

  private boolean isHere(Exchange exchange) {
    return exchange.pod() == pod.index() && axis.shows(since(exchange.sent()));
  }

  private String line(Exchange exchange) {
    int from = axis.x(since(exchange.sent()));
    return format(
        "M%d %sh%d", from, y(laneOfNode[exchange.node()]), axis.x(since(exchange.ended())) - from);
  }

  /** Each failure is an element of its own, for the sake of its tooltip. */
  private String failures() {
    StringBuilder svg = new StringBuilder();
    for (Exchange exchange : run.exchanges()) {
      if (isHere(exchange) && exchange.failed()) {
        svg.append(
            format(
                "<path class=\"%s\" d=\"M%d %sh0\"><title>%s</title></path>\n",
                lost.test(exchange) ? "failed" : "excused",
                axis.x(since(exchange.ended())),
                y(laneOfNode[exchange.node()]),
                Page.escape(tooltip(exchange))));
      }
    }
    return svg.toString();
  }

  private String tooltip(Exchange exchange) {
    double sent = run.secondsAfterSigterm(exchange);
    return format(
        "%s: %s from node %d on %s connection, sent %.2f s %s SIGTERM, failed after %.0f ms. %s",
        exchange.outcome().label(),
        exchange.kind(),
        exchange.node() + 1,
        exchange.reused() ? "a kept" : "a new",
        Math.abs(sent),
        sent < 0 ? "before" : "after",
        (exchange.ended() - exchange.sent()) / 1e6,
        exchange.detail());
  }

  private static String path(String kind, String data) {
    return data.isEmpty() ? "" : format("<path class=\"%s\" d=\"%s\"/>\n", kind, data);
  }

  private static String y(double value) {
    return format("%.1f", value);
  }
}
