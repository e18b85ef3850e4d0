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
 * the machine can only add to it; the median behind it tells how noisy the run was. With several
 * threads the median counts, of those iterations in which two ran at once: on a busy machine
 * threads take turns, and what never meets does not contend.
 */
public final class Admission {
  private static final int[] THREADS = {1, 2, 4, 8};
  private static final String UNIT = "twoAdds";
  private static final int FORKS = Integer.getInteger("forks", 2);
  private static final int ITERATIONS = Integer.getInteger("iterations", 40);

  /** Iterations in which the machine gave two threads less than this many cores tell nothing. */
  private static final double MET = 1.6;

  private Admission() {}

  /**
   * Runs it.
   *
   * @param arguments a pattern of shapes; none: all
   */
  public static void main(String[] arguments) throws RunnerException {
    String pattern = arguments.length > 0 ? arguments[0] + "|" + UNIT : ".*Shapes.*";
    Map<String, Row> rows = new LinkedHashMap<>();
    for (int threads : THREADS) {
      for (RunResult result : run(pattern, threads)) {
        String full = result.getParams().getBenchmark();
        String name = full.substring(full.lastIndexOf('.') + 1);
        rows.computeIfAbsent(name, Row::new).add(threads, result);
      }
    }
    print(rows);
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
                .measurementTime(TimeValue.milliseconds(10))
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
        "JDK %s, %d CPUs, %d forks (1 thread: %d) x %d iterations of 10 ms%n%n",
        Runtime.version(),
        Runtime.getRuntime().availableProcessors(),
        FORKS,
        2 * FORKS,
        ITERATIONS);
    System.out.println("| Shape | 1 thread | x twoAdds | 2 | 4 | 8 | 2 : 1 | B/op |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (Row row : rows.values()) {
      System.out.printf("| `%s` | %s | %.2f |", row.name, row.cell(1), row.best(1) / unit);
      System.out.printf(" %s | %s | %s |", row.cell(2), row.cell(4), row.cell(8));
      System.out.printf(" %.2f | %.0f |%n", row.median(2) / row.median(1), row.bytes);
    }
    System.out.printf("%nCPU time per admission and release in ns: best (median)%n");
  }

  /** One shape's scores. */
  private static final class Row {
    static final List<Double> NONE = List.of(Double.NaN);

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
          if (threads == 1 || get(iteration, CpuTime.CORES) >= MET) {
            sorted.add(get(iteration, CpuTime.LABEL));
          }
        }
      }
      Collections.sort(sorted);
      if (!sorted.isEmpty()) {
        scores.put(threads, sorted);
      }
      Result<?> allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
      if (threads == 1 && allocated != null) {
        bytes = allocated.getScore();
      }
    }

    private static double get(IterationResult iteration, String label) {
      return iteration.getSecondaryResults().get(label).getScore();
    }

    double best(int threads) {
      return scores.getOrDefault(threads, NONE).get(0);
    }

    double median(int threads) {
      List<Double> sorted = scores.getOrDefault(threads, NONE);
      return sorted.get(sorted.size() / 2);
    }

    String cell(int threads) {
      return "%.1f (%.1f)".formatted(best(threads), median(threads));
    }
  }
}
