package io.lastcall.drill;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One replica: an example server in a JVM of its own. */
final class Pod implements AutoCloseable {
  private static final long READY_SECONDS = 60;

  /** 128 + SIGKILL. */
  private static final int SIGKILLED = 137;

  private static final int CLEAN = 0;

  /** Ports and files that only one process can have. */
  private static final Set<String> NOT_FOR_ALL =
      Set.of(
          "PROBE_PORT",
          "NAIVE_PORT",
          "LASTCALL_PROBE_PORT",
          "LASTCALL_READINESS_PORT",
          "LASTCALL_READINESS_FILE",
          "LASTCALL_REPORT_FILE");

  private final int index;
  private final int port;
  private final Process process;
  private final Path log;
  private final Thread output;
  private final PhaseLog phases = new PhaseLog();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private final CompletableFuture<Exit> exit = new CompletableFuture<>();
  private volatile boolean terminating;

  /** How the process ended, and when, as {@link System#nanoTime()}. */
  record Exit(long sigterm, long gone, int code, boolean killed) {}

  private Pod(int index, int port, Process process, Path log) {
    this.index = index;
    this.port = port;
    this.process = process;
    this.log = log;
    output = daemon(this::readOutput, "output");
  }

  /** Starts the process; {@link #awaitReady} waits until it serves. */
  static Pod start(int index, Path jar, Mode mode, DrillSettings settings, Path log)
      throws IOException {
    return start(index, jar, Map.of("NAIVE", Boolean.toString(mode == Mode.NAIVE)), settings, log);
  }

  /** Starts one that serves in both modes, without the library on {@code naivePort}. */
  static Pod startInBoth(int naivePort, Path jar, DrillSettings settings, Path log)
      throws IOException {
    Map<String, String> modes = Map.of("NAIVE", "false", "NAIVE_PORT", Integer.toString(naivePort));
    return start(0, jar, modes, settings, log);
  }

  private static Pod start(
      int index, Path jar, Map<String, String> modes, DrillSettings settings, Path log)
      throws IOException {
    int port = Ports.next();
    ProcessBuilder builder =
        new ProcessBuilder(settings.java().toString(), "-jar", jar.toString())
            .redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("PORT", Integer.toString(port));
    // Of this process, and one for all of them.
    environment.keySet().removeAll(NOT_FOR_ALL);
    environment.put("LASTCALL_GRACE_PERIOD", settings.grace().toMillis() + "ms");
    environment.put("LASTCALL_PROPAGATION_DELAY", settings.delay().toMillis() + "ms");
    environment.put("LASTCALL_CLEAN_EXIT_CODE", Integer.toString(CLEAN));
    environment.putAll(modes);
    Pod pod = new Pod(index, port, builder.start(), log);
    pod.output.start();
    return pod;
  }

  private Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, "pod-" + (index + 1) + "-" + name);
    thread.setDaemon(true);
    return thread;
  }

  private void readOutput() {
    String readyLine = "ready on port " + port;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        BufferedWriter copy = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        long now = System.nanoTime();
        if (terminating) {
          phases.line(line, now);
        } else if (line.contains(readyLine)) {
          ready.complete(true);
        }
        copy.write(line);
        copy.newLine();
        copy.flush();
      }
    } catch (IOException e) {
      // The pipe of a killed process may break; what matters is its exit, and that is waited for
      // elsewhere.
      ready.completeExceptionally(e);
    }
    ready.completeExceptionally(new IOException("its output ended"));
  }

  int index() {
    return index;
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  int port() {
    return port;
  }

  Path log() {
    return log;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** The memory it holds, as Linux tells; 0 elsewhere. */
  long residentBytes() throws IOException {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  /** The CPU time that its threads have taken, the JIT compiler's aside; on Linux only. */
  long cpuNanos() throws IOException {
    return RunTime.nanos(process.pid());
  }

  List<PhaseLog.Mark> phases() {
    return phases.marks();
  }

  /** Kills it if it is not ready in time. */
  void awaitReady() throws InterruptedException {
    try {
      ready.get(READY_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      kill();
      throw new IllegalStateException(
          "pod %d never said 'ready on port %d'; see %s".formatted(index + 1, port, log), e);
    }
  }

  /**
   * Sends SIGTERM now, and SIGKILL when the grace period is over.
   *
   * @return the time of the signal
   */
  long terminate(Duration grace) {
    terminating = true;
    long sigterm = System.nanoTime();
    // Not Process.destroy(): it closes our end of the pipe, and the pod's last words would be lost.
    process.toHandle().destroy();
    daemon(() -> awaitExit(sigterm, grace), "exit").start();
    return sigterm;
  }

  private void awaitExit(long sigterm, Duration grace) {
    try {
      long left = grace.toNanos() - (System.nanoTime() - sigterm);
      if (!process.waitFor(left, TimeUnit.NANOSECONDS)) {
        kill();
      }
      int code = process.waitFor();
      long gone = System.nanoTime();
      output.join();
      // It may have ended by itself in the moment before.
      exit.complete(new Exit(sigterm, gone, code, code == SIGKILLED));
    } catch (InterruptedException e) {
      exit.completeExceptionally(e);
    }
  }

  /** Only after {@link #terminate}. */
  CompletableFuture<Exit> exit() {
    return exit;
  }

  /**
   * Waits for the end, only after {@link #terminate}.
   *
   * @throws IllegalStateException if it was not as it should be
   */
  Exit cleanExit() throws InterruptedException, ExecutionException {
    Exit end = exit.get();
    if (end.code() != CLEAN) {
      throw new IllegalStateException(
          "pod %d ended with exit code %d; see %s".formatted(index + 1, end.code(), log));
    }
    return end;
  }

  /** SIGKILL, at once. */
  void kill() {
    process.toHandle().destroyForcibly();
  }

  @Override
  public void close() {
    kill();
  }
}
