package io.lastcall.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What the starter costs the start of a Spring Boot service that has none of the takers' libraries:
 * as it is, without the takers' auto-configuration, and without any of the starter's. Or, with
 * {@code --agent=JAR}, what the agent costs a service that knows nothing of Lastcall. Each start is
 * a JVM of its own, in turns, so that what the machine does besides meets all kinds.
 */
public final class BootStart {
  private static final int RUNS = Integer.getInteger("runs", 15);
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String STARTED = "Started ";
  private static final String AGENT = "--agent=";

  /** Of Lastcall's own log, before {@link #STARTED}, where it is installed. */
  private static final String INSTALLED = "Shutdown plan";

  private static final String WORK = "io.lastcall.spring.LastcallWorkAutoConfiguration";
  private static final String ALL =
      WORK
          + ",io.lastcall.spring.LastcallAutoConfiguration"
          + ",io.lastcall.spring.LastcallServletAutoConfiguration"
          + ",io.lastcall.spring.LastcallReactiveAutoConfiguration"
          + ",io.lastcall.spring.LastcallHikariAutoConfiguration"
          + ",io.lastcall.spring.LastcallGrpcAutoConfiguration"
          + ",io.lastcall.spring.LastcallRSocketAutoConfiguration";

  private BootStart() {}

  /** One start, in milliseconds. */
  private record Start(double wall, double cpu, double cpuUntilIdle) {}

  /**
   * How a service is started.
   *
   * @param options of the JVM, {@code arguments} of the service
   * @param installs whether Lastcall is installed then
   */
  private record Kind(
      String label,
      List<String> options,
      List<String> arguments,
      boolean installs,
      List<Start> starts) {
    static Kind excluding(String label, String excluded) {
      List<String> arguments = List.of("--spring.autoconfigure.exclude=" + excluded);
      return new Kind(label, List.of(), arguments, !excluded.equals(ALL), new ArrayList<>());
    }

    static Kind with(String label, String... options) {
      return new Kind(label, List.of(options), List.of(), options.length > 0, new ArrayList<>());
    }
  }

  /**
   * Runs it.
   *
   * @param arguments perhaps {@code --agent=JAR}; the service's JAR; then options for its JVMs
   */
  public static void main(String[] arguments) throws IOException {
    boolean hasAgent = arguments.length > 0 && arguments[0].startsWith(AGENT);
    List<String> given = Arrays.asList(arguments).subList(hasAgent ? 1 : 0, arguments.length);
    if (given.isEmpty()) {
      throw new IllegalArgumentException("arguments: [--agent=JAR] SERVICE.jar [JVM option ...]");
    }
    // The last one is what the others are compared with.
    List<Kind> kinds =
        hasAgent
            ? List.of(
                Kind.with("the agent", "-javaagent:" + arguments[0].substring(AGENT.length())),
                Kind.with("without the agent"))
            : List.of(
                Kind.excluding("the starter", ""),
                Kind.excluding("without its takers", WORK),
                Kind.excluding("without the starter", ALL));
    List<Kind> turn = new ArrayList<>(kinds);
    for (int run = 0; run < RUNS; run++) {
      for (Kind kind : turn) {
        kind.starts.add(start(given.get(0), given.subList(1, given.size()), kind));
      }
      Collections.reverse(turn);
    }
    print(kinds);
  }

  private static void print(List<Kind> kinds) {
    List<Start> least = kinds.get(kinds.size() - 1).starts;
    System.out.printf(
        "| %d JVMs each, median (best), x the last row by turns | started after, ms"
            + " | CPU until then, ms | CPU until idle, ms |%n",
        RUNS);
    System.out.println("|---|---|---|---|");
    for (Kind kind : kinds) {
      System.out.printf(
          "| %s | %s | %s | %s |%n",
          kind.label,
          figure(kind.starts, least, Start::wall),
          figure(kind.starts, least, Start::cpu),
          figure(kind.starts, least, Start::cpuUntilIdle));
    }
  }

  /** The ratio is the median of those of one turn each, whose JVMs ran next to each other. */
  private static String figure(
      List<Start> starts, List<Start> least, ToDoubleFunction<Start> millis) {
    double[] sorted = starts.stream().mapToDouble(millis).sorted().toArray();
    double[] ratios =
        IntStream.range(0, RUNS)
            .mapToDouble(
                run -> millis.applyAsDouble(starts.get(run)) / millis.applyAsDouble(least.get(run)))
            .sorted()
            .toArray();
    return "%.0f (%.0f), %.3f".formatted(median(sorted), sorted[0], median(ratios));
  }

  private static double median(double[] sorted) {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  private static Start start(String jar, List<String> options, Kind kind) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.addAll(kind.options);
    Collections.addAll(command, "-jar", jar, "--server.port=0");
    command.addAll(kind.arguments);
    long began = System.nanoTime();
    Process service = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
      boolean installed = false;
      String line = output.readLine();
      while (line != null && !line.contains(STARTED)) {
        installed |= line.contains(INSTALLED);
        line = output.readLine();
      }
      double wall = (System.nanoTime() - began) / 1e6;
      if (line == null) {
        throw new IOException("It never started: " + String.join(" ", command));
      }
      double cpu = cpu(service).toNanos() / 1e6;
      if (installed != kind.installs) {
        throw new IOException(
            "Lastcall is %sinstalled: %s"
                .formatted(installed ? "" : "not ", String.join(" ", command)));
      }
      return new Start(wall, cpu, cpuOnceIdle(service).toNanos() / 1e6);
    } finally {
      service.destroyForcibly();
    }
  }

  /** Listeners of the ready event, and compilers, run after that line. */
  private static Duration cpuOnceIdle(Process service) {
    Duration before = Duration.ZERO;
    Duration now = cpu(service);
    while (!now.equals(before)) {
      before = now;
      LockSupport.parkNanos(SETTLE_NANOS);
      now = cpu(service);
    }
    return now;
  }

  private static Duration cpu(Process service) {
    return service.info().totalCpuDuration().orElseThrow();
  }
}
