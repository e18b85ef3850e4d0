package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.picture.TimeAxis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The picture of the README: one rolling update, without and with Lastcall, as {@code
 * rolling-update-light.svg} and {@code rolling-update-dark.svg}. The first argument is the folder,
 * then come the drill's options.
 */
final class ReadmePicture {
  private static final long SECOND = 1_000_000_000L;
  private static final long BIN = SECOND / 10;
  private static final int WIDTH = 860;
  private static final int MARGIN = 20;
  private static final int PANEL = 220;

  /** Of the columns. */
  private static final int HEIGHT = 120;

  private static final int POD = 16;

  private final List<RunResult> runs;
  private final TimeAxis axis;
  private final long tallest;

  /** The colours of one theme. */
  private enum Theme {
    LIGHT("#ffffff", "#1c2330", "#667085", "#d9dee6", "#bfe3ff", "#0d9488", "#e11d2e"),
    DARK("#0d1117", "#e5eaf2", "#94a0b3", "#2b3545", "#12446b", "#2dd4bf", "#ff4757");

    final String page;
    final String ink;
    final String quiet;
    final String line;
    final String ending;
    final String answered;
    final String lost;

    Theme(
        String page,
        String ink,
        String quiet,
        String line,
        String ending,
        String answered,
        String lost) {
      this.page = page;
      this.ink = ink;
      this.quiet = quiet;
      this.line = line;
      this.ending = ending;
      this.answered = answered;
      this.lost = lost;
    }
  }

  private ReadmePicture(List<RunResult> runs) {
    this.runs = runs;
    axis = TimeAxis.over(runs.stream().map(RunResult::recording).toList());
    tallest =
        runs.stream()
            .flatMapToLong(
                run -> {
                  long[] answered = columns(run, false);
                  long[] lost = columns(run, true);
                  Arrays.setAll(answered, bin -> answered[bin] + lost[bin]);
                  return Arrays.stream(answered);
                })
            .max()
            .orElse(1);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length == 0) {
      System.err.println(
          "java -cp drill.jar io.lastcall.drill.ReadmePicture FOLDER [--key=value ...]");
      System.exit(2);
    }
    Path folder = Path.of(arguments[0]);
    DrillSettings settings = CommandLine.parse(Arrays.copyOfRange(arguments, 1, arguments.length));
    ReadmePicture picture = new ReadmePicture(Drill.run(settings).runs());
    Files.writeString(folder.resolve("rolling-update-light.svg"), picture.svg(Theme.LIGHT));
    Files.writeString(folder.resolve("rolling-update-dark.svg"), picture.svg(Theme.DARK));
  }

  private static String verdict(RunResult run) {
    return format("%,d of %,d requests lost", run.lost().size(), run.exchanges().size());
  }

  private String svg(Theme theme) {
    StringBuilder svg = new StringBuilder();
    int height = runs.size() * PANEL + 30;
    svg.append(
        format(
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" role="img">
            <title>A rolling update: %3$s</title>
            <style>
            text{font:13px system-ui,"Segoe UI",Roboto,Helvetica,Arial,sans-serif;fill:%4$s}
            .head{font-size:16px;font-weight:600}
            .small{font-size:11px;fill:%5$s}
            </style>
            <rect width="%1$d" height="%2$d" fill="%6$s"/>
            """,
            WIDTH,
            height,
            runs.stream().map(ReadmePicture::verdict).collect(Collectors.joining(", then ")),
            theme.ink,
            theme.quiet,
            theme.page));
    for (int i = 0; i < runs.size(); i++) {
      panel(svg, runs.get(i), i * PANEL + 6, theme);
    }
    legend(
        svg, MARGIN, height - 14, theme.answered, "requests answered, in each tenth of a second");
    legend(svg, 300, height - 14, theme.lost, "requests lost");
    legend(svg, 420, height - 14, theme.ending, "from SIGTERM to the end of the process");
    return svg.append("</svg>\n").toString();
  }

  private void panel(StringBuilder svg, RunResult run, int top, Theme theme) {
    boolean lost = !run.lost().isEmpty();
    svg.append(
        format(
            """
            <text x="%d" y="%d" class="head">%s</text>
            <text x="%d" y="%2$d" class="head" style="fill:%s" text-anchor="end">%s</text>
            """,
            MARGIN,
            top + 18,
            run.mode() == Mode.NAIVE ? "Without Lastcall" : "With Lastcall",
            WIDTH - MARGIN,
            lost ? theme.lost : theme.answered,
            verdict(run)));
    int y = top + 28;
    for (PodHistory.Termination end : run.terminations()) {
      pod(svg, y, end, run.origin(), theme);
      y += POD;
    }
    int base = top + 64 + HEIGHT;
    for (int second = 0; axis.shows(second * SECOND); second++) {
      svg.append(
          format(
              """
              <path d="M%.1f %dv%d" stroke="%s"/><text x="%1$.1f" y="%d" class="small" text-anchor="middle">%d s</text>
              """,
              x(second * SECOND), base - HEIGHT, HEIGHT, theme.line, base + 14, second));
    }
    long[] answered = columns(run, false);
    columns(svg, answered, new long[answered.length], base, theme.answered);
    columns(svg, columns(run, true), answered, base, theme.lost);
  }

  private void pod(StringBuilder svg, int y, PodHistory.Termination end, long origin, Theme theme) {
    double from = x(end.sigterm() - origin);
    double to = x(end.gone() - origin);
    svg.append(
        format(
            """
            <rect x="%d" y="%d" width="%.1f" height="12" fill="%s"/>
            <rect x="%.1f" y="%2$d" width="%.1f" height="12" fill="%s"/>
            <text x="%.1f" y="%d" class="small">gone %.2f s after SIGTERM</text>
            """,
            MARGIN,
            y,
            from - MARGIN,
            theme.line,
            from,
            to - from,
            theme.ending,
            (to > WIDTH * 0.75 ? from : to) + 5,
            y + 10,
            end.secondsToExit()));
  }

  private static void legend(StringBuilder svg, int x, int y, String colour, String text) {
    svg.append(
        format(
            """
            <rect x="%d" y="%d" width="12" height="10" fill="%s"/><text x="%d" y="%d" class="small">%s</text>
            """,
            x, y - 9, colour, x + 18, y, text));
  }

  /** Returns how many requests ended in each tenth of a second that the axis shows. */
  private long[] columns(RunResult run, boolean lost) {
    long[] columns = new long[(int) ((axis.before() + axis.after()) / BIN) + 1];
    run.exchanges().stream()
        .filter(each -> each.failed() == lost && axis.shows(each.ended() - run.origin()))
        .forEach(each -> columns[(int) ((each.ended() - run.origin() + axis.before()) / BIN)]++);
    return columns;
  }

  private void columns(StringBuilder svg, long[] columns, long[] below, int base, String colour) {
    double width = x(BIN) - x(0) - 1;
    svg.append("<path d=\"");
    for (int bin = 0; bin < columns.length; bin++) {
      if (columns[bin] > 0) {
        double tall = (double) columns[bin] * HEIGHT / tallest;
        svg.append(
            format(
                "M%.1f %.1fv-%.1fh%.1fv%.1fz",
                x(bin * BIN - axis.before()),
                base - (double) below[bin] * HEIGHT / tallest,
                tall,
                width,
                tall));
      }
    }
    svg.append(format("\" fill=\"%s\"/>\n", colour));
  }

  private double x(long sinceOrigin) {
    return MARGIN + (double) axis.x(sinceOrigin) / TimeAxis.UNITS * (WIDTH - 2 * MARGIN);
  }
}
