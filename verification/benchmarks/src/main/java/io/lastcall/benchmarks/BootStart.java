package io.lastcall.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the starter costs the start of a Spring Boot service that has none of the takers' libraries:
 * as it is, without the takers' auto-configuration, and without any of the starter's. Each start is
 * a JVM of its own, in turns, so that what the machine does besides meets all three.
 */
public final class BootStart {
  private static final int RUNS = Integer.getInteger("runs", 15);
  private static final long SETTLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final String STARTED = "Started ";
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

  /** The starts of one kind, in milliseconds. */
  private record Starts(List<Double> wall, List<Double> cpu) {}

  /**
   * Runs it.
   *
   * @param arguments the service's JAR, then options for its JVMs
   */
  public static void main(String[] arguments) throws IOException {
    Map<String, String> excluded = new LinkedHashMap<>();
    excluded.put("the starter", "");
    excluded.put("without its takers", WORK);
    excluded.put("without the starter", ALL);
    Map<String, Starts> starts = new LinkedHashMap<>();
    List<String> given = List.of(arguments);
    for (int run = 0; run < RUNS; run++) {
      for (Map.Entry<String, String> each : excluded.entrySet()) {
        start(
            given.get(0),
            given.subList(1, given.size()),
            each.getValue(),
            starts.computeIfAbsent(
                each.getKey(), kind -> new Starts(new ArrayList<>(), new ArrayList<>())));
      }
    }
    System.out.printf(
        "| Start, %d JVMs | started after, ms, median (best) | CPU until idle, ms, median (best) |%n",
        RUNS);
    System.out.println("|---|---|---|");
    starts.forEach(
        (kind, each) ->
            System.out.printf("| %s | %s | %s |%n", kind, figure(each.wall), figure(each.cpu)));
  }

  private static String figure(List<Double> millis) {
    Collections.sort(millis);
    return "%.0f (%.0f)".formatted(millis.get(millis.size() / 2), millis.get(0));
  }

  private static void start(String jar, List<String> options, String excluded, Starts starts)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    Collections.addAll(
        command, "-jar", jar, "--server.port=0", "--spring.autoconfigure.exclude=" + excluded);
    long began = System.nanoTime();
    Process service = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
      String line = output.readLine();
      while (line != null && !line.contains(STARTED)) {
        line = output.readLine();
      }
      if (line == null) {
        throw new IOException("It never started: " + String.join(" ", command));
      }
      starts.wall.add((System.nanoTime() - began) / 1e6);
      starts.cpu.add(cpuOnceIdle(service).toNanos() / 1e6);
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
