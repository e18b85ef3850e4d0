package io.lastcall.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A plan as a bar, a character a second; long plans are scaled to fit a line. */
final class Timeline {
  private static final int WIDTH = 100;
  private static final int TICK = 10;

  private final ShutdownPlan plan;
  private final double secondsPerCell;

  Timeline(ShutdownPlan plan) {
    this.plan = plan;
    secondsPerCell = Math.max(1, Math.ceil(seconds(plan.gracePeriod()) / WIDTH));
  }

  String draw() {
    StringBuilder bar = new StringBuilder();
    List<String> legend = new ArrayList<>();
    Duration at = Duration.ZERO;
    at = part(bar, legend, at, plan.preStopDelay(), 'p', "preStop");
    at = part(bar, legend, at, plan.keepServing(), 'K', "KEEP_SERVING");
    at = part(bar, legend, at, plan.readinessHold(), 'F', "FAIL_READINESS");
    at = part(bar, legend, at, plan.drainTimeout(), 'D', "DRAIN");
    at = part(bar, legend, at, plan.closeTimeout(), 'C', "CLOSE_CONNECTIONS");
    at = part(bar, legend, at, plan.exitTimeout(), 'X', "EXIT");
    Duration spare = plan.gracePeriod().minus(plan.reserve()).minus(at);
    at = part(bar, legend, at, spare, '.', "spare");
    part(bar, legend, at, plan.reserve(), 'r', "reserve");
    return "  %s%n  %s SIGKILL at %s%n  %s%n"
        .formatted(
            scale(bar.length()),
            bar,
            Durations.format(plan.gracePeriod()),
            String.join("  ", legend));
  }

  private Duration part(
      StringBuilder bar,
      List<String> legend,
      Duration from,
      Duration length,
      char mark,
      String name) {
    Duration to = from.plus(length);
    int cells = (int) Math.round(seconds(to) / secondsPerCell);
    while (bar.length() < cells) {
      bar.append(mark);
    }
    if (!length.isZero()) {
      legend.add(mark + " " + name + " " + Durations.format(length));
    }
    return to;
  }

  private String scale(int cells) {
    StringBuilder scale = new StringBuilder();
    for (int cell = 0; cell <= cells; cell += TICK) {
      String label = (long) (cell * secondsPerCell) + "s";
      scale.append(label).append(" ".repeat(TICK - label.length()));
    }
    return scale.toString().stripTrailing();
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }
}
