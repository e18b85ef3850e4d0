package io.lastcall.grpc;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An {@link EchoServer}, with what it logs. Thread-safe. */
final class ServerProcess implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String READY = "ready on port ";

  private final Process process;
  private final List<String> lines = new ArrayList<>();
  private final Thread reader;
  private boolean ended;

  private ServerProcess(Process process) {
    this.process = process;
    reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts it on a free port, with nothing but these settings, and waits until it is ready. */
  static ServerProcess start(Map<String, String> settings) throws IOException {
    return start(EchoServer.class, System.getProperty("java.class.path"), settings);
  }

  /** As {@link #start(Map)}, another server on another class path. */
  static ServerProcess start(Class<?> main, String classPath, Map<String, String> settings)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath,
            main.getName());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    environment
        .keySet()
        .removeAll(List.of("KUBERNETES_SERVICE_HOST", "JAVA_TOOL_OPTIONS", "NAIVE"));
    environment.putAll(settings);
    ServerProcess server = new ServerProcess(builder.redirectErrorStream(true).start());
    server.awaitReady();
    return server;
  }

  /** Kills it if it is not ready in time: nobody else has it yet. */
  private void awaitReady() {
    try {
      awaitLine(READY);
    } catch (IllegalStateException e) {
      close();
      throw e;
    }
  }

  private void read() {
    try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        add(line);
      }
    } catch (IOException e) {
      add(e.toString());
    }
    synchronized (this) {
      ended = true;
      notifyAll();
    }
  }

  private synchronized void add(String line) {
    lines.add(line);
    notifyAll();
  }

  /** Returns whether a line with this part has been logged. */
  synchronized boolean hasLogged(String part) {
    return lines.stream().anyMatch(line -> line.contains(part));
  }

  /**
   * Waits for a line with this part.
   *
   * @throws IllegalStateException if the process ends without one, or after a minute
   */
  synchronized String awaitLine(String part) {
    long giveUp = System.nanoTime() + PATIENCE.toNanos();
    while (!hasLogged(part)) {
      long left = TimeUnit.NANOSECONDS.toMillis(giveUp - System.nanoTime());
      if (ended || left <= 0) {
        throw new IllegalStateException("Never logged: " + part + "\n" + log());
      }
      try {
        wait(left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("Interrupted", e);
      }
    }
    return lines.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
  }

  int port() {
    String line = awaitLine(READY);
    return Integer.parseInt(line.substring(line.indexOf(READY) + READY.length()));
  }

  /**
   * Sends SIGTERM; {@code Process.destroy()} would close the output too.
   *
   * @return how long the process takes to end
   */
  CompletableFuture<Duration> terminate() {
    long began = System.nanoTime();
    process.toHandle().destroy();
    return process.onExit().thenApply(ended -> Duration.ofNanos(System.nanoTime() - began));
  }

  /**
   * Waits for the end, and for all of what was logged.
   *
   * @throws IllegalStateException if it does not come within a minute
   */
  int exitCode() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("Still there\n" + log());
    }
    reader.join(PATIENCE.toMillis());
    return process.exitValue();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  synchronized String log() {
    return String.join("\n", lines);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
