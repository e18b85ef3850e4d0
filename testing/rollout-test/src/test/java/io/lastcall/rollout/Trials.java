package io.lastcall.rollout;

import io.lastcall.rollout.Trial.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Rolls services whose verdict is known, again and again, and counts the verdicts: the example
 * servers with and without Lastcall, the mutants, the services of others. The table is written
 * after each run to {@code target/trials/trials.md}, and what was wrong stays beside it.
 *
 * <p>From the root of the repository, once tests are compiled and examples packaged: {@code java
 * -cp testing/rollout-test/target/classes:testing/rollout-test/target/test-classes
 * io.lastcall.rollout.Trials RUNS AT-ONCE [NAME-PATTERN]}. Exit status 1 if any verdict was wrong.
 */
final class Trials {
  private final Path output = Path.of("testing/rollout-test/target/trials");
  private final Map<String, Row> rows = new LinkedHashMap<>();

  /** What became of one service's runs; guarded by the trials. */
  private static final class Row {
    private final Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    private int notRun;
    private Duration longest = Duration.ZERO;

    private void add(Verdict verdict, Duration took) {
      counts.merge(verdict, 1, Integer::sum);
      longest = took.compareTo(longest) > 0 ? took : longest;
    }

    private String cells() {
      return "%d | %d | %d | %d | %d | %.0f s"
          .formatted(
              count(Verdict.GREEN),
              count(Verdict.RED),
              count(Verdict.INCONCLUSIVE),
              count(Verdict.WRONG),
              notRun,
              longest.toMillis() / 1000.0);
    }

    private int count(Verdict verdict) {
      return counts.getOrDefault(verdict, 0);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int runs = Integer.parseInt(arguments[0]);
    int atOnce = Integer.parseInt(arguments[1]);
    String pattern = arguments.length > 2 ? arguments[2] : ".*";
    List<Trial> chosen =
        new ArrayList<>(ExampleServers.all(Path.of("verification/drill/subjects")));
    chosen.addAll(Mutants.all());
    chosen.addAll(Mutants.others());
    chosen.removeIf(each -> !each.name().matches(pattern));
    System.exit(new Trials().run(chosen, runs, atOnce));
  }

  private int run(List<Trial> trials, int runs, int atOnce)
      throws IOException, InterruptedException {
    Files.createDirectories(output);
    trials.forEach(each -> rows.put(each.name(), new Row()));
    ExecutorService threads = Executors.newFixedThreadPool(atOnce);
    for (int run = 1; run <= runs; run++) {
      int number = run; // all once, then all again: a table that is cut short is even
      trials.forEach(each -> threads.execute(() -> roll(each, number)));
    }
    threads.shutdown();
    threads.awaitTermination(7, TimeUnit.DAYS);
    return rows.values().stream().anyMatch(row -> row.count(Verdict.WRONG) > 0) ? 1 : 0;
  }

  private void roll(Trial trial, int run) {
    String name = trial.name().replaceAll("[^A-Za-z0-9-]+", "-") + "-" + run;
    long begun = System.nanoTime();
    try {
      RolloutResult result = trial.rollout().get().name(name).output(output).seed(run).run();
      Verdict verdict = trial.judge(result);
      note(trial, run, verdict, Duration.ofNanos(System.nanoTime() - begun), result.summary());
      if (verdict == Verdict.WRONG) {
        Files.writeString(output.resolve(name + ".txt"), lines(result));
      } else {
        remove(name);
      }
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        Objects.requireNonNull(rows.get(trial.name())).notRun++;
      }
      System.out.printf("%s %d: not run: %s%n", trial.name(), run, e.getMessage());
    }
  }

  private static String lines(RolloutResult result) {
    StringBuilder text = new StringBuilder(result.summary()).append("\n\n");
    result.failures().forEach(each -> text.append(each).append('\n'));
    return text.toString();
  }

  private void remove(String name) throws IOException {
    try (var files = Files.newDirectoryStream(output, name + "{.html,-pod*.log}")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }

  private synchronized void note(
      Trial trial, int run, Verdict verdict, Duration took, String summary) throws IOException {
    Objects.requireNonNull(rows.get(trial.name())).add(verdict, took);
    String line =
        "%s %d: %s after %d s%n%s%n"
            .formatted(
                trial.name(),
                run,
                verdict.name().toLowerCase(Locale.ROOT),
                took.toSeconds(),
                summary.indent(4).stripTrailing());
    System.out.print(line);
    StringBuilder table =
        new StringBuilder("| Service | Green | Red | Inconclusive | Wrong | Not run | Longest |\n")
            .append("|---|---|---|---|---|---|---|\n");
    rows.forEach((name, row) -> table.append("| " + name + " | " + row.cells() + " |\n"));
    Files.writeString(output.resolve("trials.md"), table);
  }
}
