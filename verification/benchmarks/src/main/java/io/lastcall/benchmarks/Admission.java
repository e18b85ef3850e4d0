package io.lastcall.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Prints the table of admission and release: CPU time of both together, for each shape and number
 * of threads.
 *
 * <p>Many short iterations in many JVMs. The best tells what the code costs, since a neighbour on
 * the machine can only add to it; the median behind it tells how noisy the run was.
 */
public final class Admission {
  private static final int[] THREADS = {1, 2, 4, 8};

  /** Busy virtual threads do not take turns: with more of them than CPUs, JMH waits for ever. */
  private static final int[] UNSHARED = {1, 2};

  private static final String UNIT = "twoAdds";
  private static final int FORKS = Integer.getInteger("forks", 2);
  private static final int ITERATIONS = Integer.getInteger("iterations", 10);

  private Admission() {}

  /**
   * Runs it.
   *
   * @param arguments a pattern of shapes; none: all
   */
  public static void main(String[] arguments) throws RunnerException {
    String pattern = arguments.length > 0 ? arguments[0] + "|" + UNIT : ".*Shapes.*";
    Map<String, Row> rows = new LinkedHashMap<>();
    for (int threads : isVirtual() ? UNSHARED : THREADS) {
      for (RunResult result : run(pattern, threads)) {
        String full = result.getParams().getBenchmark();
        String name = full.substring(full.lastIndexOf('.') + 1);
        rows.computeIfAbsent(name, Row::new).add(threads, result);
      }
    }
    print(rows);
  }

  /** As JMH is told by {@code -Djmh.executor=VIRTUAL}. */
  private static boolean isVirtual() {
    return "VIRTUAL".equals(System.getProperty("jmh.executor"));
  }

  private static Iterable<RunResult> run(String pattern, int threads) throws RunnerException {
    System.err.println("... " + threads + " threads");
    return new Runner(
            new OptionsBuilder()
                .include(pattern)
                .threads(threads)
                .forks(threads == 1 ? 2 * FORKS : FORKS)
                .warmupIterations(5)
                .warmupTime(TimeValue.milliseconds(200))
                .measurementIterations(ITERATIONS)
                .measurementTime(TimeValue.milliseconds(50))
                .jvmArgsAppend("-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch")
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTime.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .build())
        .run();
  }

  private static void print(Map<String, Row> rows) {
    double unit = rows.getOrDefault(UNIT, new Row(UNIT)).best(1);
    System.out.printf(
        "JDK %s, %s threads, %d CPUs, %d forks (1 thread: %d) x %d iterations of 50 ms%n%n",
        Runtime.version(),
        isVirtual() ? "virtual" : "platform",
        Runtime.getRuntime().availableProcessors(),
        FORKS,
        2 * FORKS,
        ITERATIONS);
    System.out.println("| Shape | 1 thread | x twoAdds | 2 | 4 | 8 | 2 : 1 | B/op |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (Row row : rows.values()) {
      System.out.printf("| `%s` | %s | %.2f |", row.name, row.cell(1), row.best(1) / unit);
      System.out.printf(" %s | %s | %s |", row.cell(2), row.cell(4), row.cell(8));
      System.out.printf(" %.2f | %.0f |%n", row.best(2) / row.best(1), row.bytes);
    }
    System.out.printf("%nCPU time per admission and release in ns: best (median)%n");
  }

  /** One shape's scores. */
  private static final class Row {
    final String name;
    final Map<Integer, List<Double>> scores = new TreeMap<>();
    double bytes = Double.NaN;

    Row(String name) {
      this.name = name;
    }

    void add(int threads, RunResult result) {
      List<Double> sorted = new ArrayList<>();
      for (BenchmarkResult fork : result.getBenchmarkResults()) {
        for (IterationResult iteration : fork.getIterationResults()) {
          sorted.add(cpu(iteration));
        }
      }
      Collections.sort(sorted);
      scores.put(threads, sorted);
      Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
      if (threads == 1 && allocated != null) {
        bytes = allocated.getScore();
      }
    }

    private static double cpu(IterationResult iteration) {
      return iteration.getSecondaryResults().get(CpuTime.LABEL).getScore();
    }

    double best(int threads) {
      return scores.getOrDefault(threads, List.of(Double.NaN)).get(0);
    }

    String cell(int threads) {
      List<Double> sorted = scores.get(threads);
      if (sorted == null) {
        return "-";
      }
      return "%.1f (%.1f)".formatted(sorted.get(0), sorted.get(sorted.size() / 2));
    }
  }
}
