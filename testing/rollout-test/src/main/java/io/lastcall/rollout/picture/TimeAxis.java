package io.lastcall.rollout.picture;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Maps time to the horizontal. Plots stretch to the width of the window, so positions are shares of
 * the width: 0 to {@link #UNITS} inside the SVG, percents for the labels around it. The same axis
 * serves all runs of a server, so that they can be compared by eye.
 *
 * @param before nanoseconds shown before a run's first SIGTERM, which is second 0
 * @param after nanoseconds shown after it
 */
public record TimeAxis(long before, long after) {
  public static final int UNITS = 10_000;

  private static final long MARGIN = 400_000_000L;

  /** An axis wide enough for everything that happened at the terminating pods of these runs. */
  public static TimeAxis over(Collection<Recording> runs) {
    long after = 0;
    for (Recording run : runs) {
      for (PodHistory.Termination end : run.terminations()) {
        after = Math.max(after, end.gone() - run.origin());
        for (long leave : end.leaves()) {
          after = Math.max(after, leave == ClusterNode.NEVER ? 0 : leave - run.origin());
        }
      }
    }
    return new TimeAxis(2 * MARGIN, after + MARGIN);
  }

  /** Position in the SVG of a time relative to the first SIGTERM, kept within the plot. */
  public int x(long sinceOrigin) {
    double share = (double) (sinceOrigin + before) / (before + after);
    return (int) Math.round(Math.min(1, Math.max(0, share)) * UNITS);
  }

  public boolean shows(long sinceOrigin) {
    return sinceOrigin >= -before && sinceOrigin <= after;
  }

  public String percent(long sinceOrigin) {
    return format("%.2f%%", x(sinceOrigin) * 100.0 / UNITS);
  }

  private IntStream seconds() {
    int last = (int) (after / 1_000_000_000L);
    // At most a dozen labels, however long the run.
    int every = last / 12 + 1;
    return IntStream.rangeClosed(0, last).filter(second -> second % every == 0);
  }

  /** One vertical line per labelled second, as path data. */
  public String grid(int height) {
    return seconds()
        .mapToObj(second -> format("M%d 0v%d", x(second * 1_000_000_000L), height))
        .collect(Collectors.joining());
  }

  public String labels() {
    return seconds()
        .mapToObj(
            second ->
                format(
                    "<span style=\"left:%s\">%d s</span>",
                    percent(second * 1_000_000_000L), second))
        .collect(Collectors.joining("", "<div class=\"axis\">", "</div>\n"));
  }
}
