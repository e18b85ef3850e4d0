package io.lastcall.agent.trials;

import io.lastcall.rollout.RolloutResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The table of docs/agent.md: requests lost of each service, without and with the agent. */
final class Table {
  private static final Path FILE = Path.of("target", "trials.md");
  private static final String NOT_RUN = "-";

  private final List<Subject> subjects;
  private final Map<String, String> without = new TreeMap<>();
  private final Map<String, String> with = new TreeMap<>();

  Table(List<Subject> subjects) {
    this.subjects = subjects;
  }

  void addWithout(Subject subject, RolloutResult result) {
    without.put(subject.toString(), lost(result));
  }

  void addWith(Subject subject, RolloutResult result) {
    with.put(subject.toString(), lost(result));
  }

  private static String lost(RolloutResult result) {
    return String.format(Locale.ROOT, "%,d of %,d", result.lost(), result.sent())
        + (result.killed() ? ", killed" : "");
  }

  void write() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("| Service | Protocol | Lost without the agent | With it |");
    lines.add("|---|---|---|---|");
    for (Subject each : subjects) {
      String name = each.toString();
      lines.add(
          "| %s | %s | %s | %s |"
              .formatted(
                  each.title(),
                  each.protocol(),
                  without.getOrDefault(name, NOT_RUN),
                  with.getOrDefault(name, NOT_RUN)));
    }
    Files.createDirectories(FILE.getParent());
    Files.write(FILE, lines);
  }
}
