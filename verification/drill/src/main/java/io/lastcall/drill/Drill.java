package io.lastcall.drill;

import io.lastcall.rollout.cluster.Rollout;
import io.lastcall.rollout.cluster.RolloutPlan;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Rolls every server in every mode with every seed, one after the other. */
final class Drill {
  private Drill() {}

  /** Runs without a word; for tests. */
  static DrillResult run(DrillSettings settings) throws IOException, InterruptedException {
    List<RunResult> runs = new ArrayList<>();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    run(settings, nowhere, runs::add);
    return new DrillResult(settings, runs);
  }

  /**
   * Runs, with a line of progress each second.
   *
   * @param results gets the result of each run once it is over
   * @throws IllegalArgumentException if a server is not built
   * @throws IllegalStateException if a server does not start, or dies unasked
   */
  static void run(DrillSettings settings, PrintStream out, Consumer<RunResult> results)
      throws IOException, InterruptedException {
    for (String server : settings.servers()) {
      Path jar = settings.jar(server);
      if (!Files.isReadable(jar)) {
        throw Option.SERVERS.refuse(
            String.join(",", settings.servers()), jar + " is not there: mvn package builds it");
      }
    }
    out.printf(
        "The drill rolls %s%s: %d requests a second from %d nodes, SIGKILL %d s after SIGTERM.%n",
        String.join(" and ", settings.servers()),
        settings.naive() ? ", each without Lastcall and with it" : "",
        settings.rate(),
        settings.nodes(),
        settings.grace().toSeconds());
    for (String server : settings.servers()) {
      for (long seed = settings.seed(); seed < settings.seed() + settings.seeds(); seed++) {
        for (Mode mode : settings.modes()) {
          results.accept(roll(server, mode, seed, settings, out));
        }
      }
    }
  }

  private static RunResult roll(
      String server, Mode mode, long seed, DrillSettings settings, PrintStream out)
      throws IOException, InterruptedException {
    String label = "%-8s %-8s seed %-3d".formatted(server, mode.label(), seed);
    RolloutPlan plan = settings.plan(seed);
    Path logs = settings.output().toAbsolutePath().resolveSibling("rolling-update-logs");
    Files.createDirectories(logs);
    out.printf("%s starts %d JVMs, logs in %s%n", label, 2 * plan.replicas(), logs);
    String name = "%s-%s-seed%d".formatted(server, mode.label(), seed);
    ExamplePods pods = new ExamplePods(settings.jar(server), mode, settings, logs, name);
    try (Rollout rollout =
        new Rollout(
            plan,
            pods,
            new Arrivals(seed, settings),
            settings.load(),
            line -> out.println(label + ' ' + line))) {
      RunResult raw = new RunResult(server, mode, seed, settings, rollout.run());
      return raw.with(raw.exchanges().stream().map(each -> Verdict.classify(each, raw)).toList());
    }
  }
}
