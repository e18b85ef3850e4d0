package io.lastcall.benchmarks;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How late a halt comes in a heap that is full, where threads go on allocating small objects. JVMs
 * of their own get a SIGTERM; half a second later those threads begin.
 */
public final class FullHeap {
  private static final int RUNS = 8;
  private static final int[] THREADS = {1, 4};
  private static final String[] COLLECTORS = {"Serial", "Parallel", "G1"};
  private static final String[] SIZES = {"64m", "256m"};

  /** Halted a second before: the reserve. */
  private static final Duration GRACE_PERIOD = Duration.ofSeconds(6);

  private static final Duration HALT = Duration.ofSeconds(5);
  private static final Duration UNTIL_LEAK = Duration.ofMillis(500);
  private static final Duration NEVER = Duration.ofSeconds(20);

  private FullHeap() {}

  /** Runs it; with an argument, the JVM that is to be halted, with so many threads. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    if (arguments.length > 0) {
      serve(Integer.parseInt(arguments[0]));
    }
    System.out.println("| Heap | collector | threads | ms behind the halt's time | killed |");
    System.out.println("|---|---|---|---|---|");
    for (String size : SIZES) {
      for (String collector : COLLECTORS) {
        for (int threads : THREADS) {
          print(size, collector, threads);
        }
      }
    }
  }

  private static void print(String size, String collector, int threads)
      throws IOException, InterruptedException {
    long[] late = new long[RUNS];
    int killed = 0;
    for (int run = 0; run < RUNS; run++) {
      late[run] = lateness(size, collector, threads);
      if (late[run] > GRACE_PERIOD.minus(HALT).toMillis()) {
        killed++;
      }
    }
    System.out.printf(
        "| %s | %s | %d | %s | %d of %d |%n",
        size, collector, threads, Arrays.toString(late), killed, RUNS);
  }

  private static long lateness(String size, String collector, int threads)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + size,
                "-XX:+Use" + collector + "GC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                FullHeap.class.getName(),
                Integer.toString(threads))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (BufferedReader lines = process.inputReader()) {
      String line = lines.readLine();
      if (!"ready".equals(line)) {
        throw new IllegalStateException("instead of being ready it said " + line);
      }
      long start = System.nanoTime();
      process.destroy();
      if (!process.waitFor(NEVER.toMillis(), TimeUnit.MILLISECONDS)) {
        return NEVER.toMillis();
      }
      if (process.exitValue() != 80 && process.exitValue() != 81) {
        throw new IllegalStateException("it ended with " + process.exitValue());
      }
      return Duration.ofNanos(System.nanoTime() - start).minus(HALT).toMillis();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void serve(int threads) throws InterruptedException {
    CountDownLatch full = new CountDownLatch(1);
    GracefulShutdown.builder()
        .gracePeriod(GRACE_PERIOD)
        .propagationDelay(Duration.ZERO)
        .step(Phase.DRAIN, "leak", context -> leak(full))
        .install();
    for (int i = 0; i < threads; i++) {
      new Thread(() -> fill(full), "leak-" + i).start();
    }
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  private static void leak(CountDownLatch full) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(UNTIL_LEAK.toMillis());
    full.countDown();
    new CountDownLatch(1).await();
  }

  @SuppressWarnings("InfiniteLoop")
  private static void fill(CountDownLatch full) {
    try {
      full.await();
    } catch (InterruptedException e) {
      return;
    }
    Leak last = null;
    while (true) {
      try {
        last = new Leak(new long[8], last);
      } catch (OutOfMemoryError e) {
        // That is what it is for.
      }
    }
  }

  private record Leak(Object words, @Nullable Leak before) {}
}
