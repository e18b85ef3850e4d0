package io.lastcall.rollout;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.picture.Page;
import io.lastcall.rollout.picture.PodPlot;
import io.lastcall.rollout.picture.TimeAxis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The page of a rollout: the verdict, and a plot per pod. */
final class RolloutPage {
  private RolloutPage() {}

  static void write(Path file, String summary, Recording recording, Predicate<Exchange> lost)
      throws IOException {
    TimeAxis axis = TimeAxis.over(List.of(recording));
    StringBuilder html = new StringBuilder("<h1>A rolling update</h1>\n");
    summary
        .lines()
        .filter(line -> !line.strip().startsWith("Picture: "))
        .forEach(line -> html.append(format("<p>%s</p>\n", Page.escape(line.strip()))));
    html.append(Page.legend("")).append("<figure>\n");
    recording.pods().forEach(pod -> html.append(new PodPlot(recording, lost, pod, axis).html()));
    html.append(axis.labels()).append("</figure>\n");
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, Page.document("A rolling update", html.toString()));
  }
}
