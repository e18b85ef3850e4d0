package io.lastcall.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A plan as a bar, a character a second; long plans are scaled to fit a line. Drawn once. */
final class Timeline {
  private static final int WIDTH = 100;
  private static final int TICK = 10;

  private final ShutdownPlan plan;
  private final double secondsPerCell;
  private final StringBuilder bar = new StringBuilder();
  private final List<String> legend = new ArrayList<>();
  private Duration end = Duration.ZERO;

  Timeline(ShutdownPlan plan) {
    this.plan = plan;
    secondsPerCell = Math.max(1, Math.ceil(seconds(plan.gracePeriod()) / WIDTH));
  }

  String draw() {
    part('p', "preStop", plan.preStopDelay());
    part('K', "KEEP_SERVING", plan.keepServing());
    part('F', "FAIL_READINESS", plan.readinessHold());
    part('D', "DRAIN", plan.drainTimeout());
    part('C', "CLOSE_CONNECTIONS", plan.closeTimeout());
    part('X', "EXIT", plan.exitTimeout());
    part('.', "spare", plan.gracePeriod().minus(plan.reserve()).minus(end));
    part('r', "reserve", plan.reserve());
    return "  %s%n  %s SIGKILL at %s%n  %s%n"
        .formatted(
            scale(bar.length()),
            bar,
            Durations.format(plan.gracePeriod()),
            String.join("  ", legend));
  }

  private void part(char mark, String name, Duration length) {
    end = end.plus(length);
    int cells = (int) Math.round(seconds(end) / secondsPerCell);
    while (bar.length() < cells) {
      bar.append(mark);
    }
    if (!length.isZero()) {
      legend.add(mark + " " + name + " " + Durations.format(length));
    }
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
