package io.lastcall.rollout.cluster;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** One replica: a process, and the processes that it starts. Thread-safe. */
public final class Pod implements AutoCloseable {
  private static final long READY_SECONDS = 60;

  /** 128 + SIGKILL. */
  private static final int SIGKILLED = 137;

  private static final long ENDING_MILLIS = 5_000;

  /** Of what it says after SIGTERM: enough for a thread dump. */
  private static final int KEPT_LINES = 5_000;

  private final int index;
  private final int port;
  private final Process process;
  private final Path log;
  private final @Nullable String readyLine;
  private final Thread output;
  private final long started = System.nanoTime();
  private final PhaseLog phases = new PhaseLog();
  private final List<String> lastWords = new ArrayList<>(); // guarded by itself
  private final Set<ProcessHandle> descendants = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private final CompletableFuture<Exit> exit = new CompletableFuture<>();
  private volatile boolean terminating;

  /** How the process ended, and when, as {@link System#nanoTime()}. */
  public record Exit(long sigterm, long gone, int code, boolean killed) {}

  private Pod(int index, int port, Process process, @Nullable String readyLine, Path log) {
    this.index = index;
    this.port = port;
    this.process = process;
    this.readyLine = readyLine;
    this.log = log;
    output = daemon(this::readOutput, "output");
  }

  /**
   * Starts the process.
   *
   * @param port where it is to serve
   * @param readyLine part of the line by which it says that it serves, for {@link #awaitReady}
   * @param log gets all that it says
   */
  public static Pod start(
      int index, int port, ProcessBuilder builder, @Nullable String readyLine, Path log)
      throws IOException {
    Files.deleteIfExists(log);
    Files.createFile(log);
    Process process = builder.redirectErrorStream(true).start();
    Pod pod = new Pod(index, port, process, readyLine, log);
    pod.output.start();
    return pod;
  }

  private Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, "pod-" + (index + 1) + "-" + name);
    thread.setDaemon(true);
    return thread;
  }

  private void readOutput() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
        BufferedWriter copy = Files.newBufferedWriter(log)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        long now = System.nanoTime();
        if (terminating) {
          phases.line(line, now);
          keep(line);
        } else if (readyLine != null && line.contains(readyLine)) {
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

  private void keep(String line) {
    synchronized (lastWords) {
      if (lastWords.size() < KEPT_LINES) {
        lastWords.add(line);
      }
    }
  }

  public int index() {
    return index;
  }

  public InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  public int port() {
    return port;
  }

  public Path log() {
    return log;
  }

  public long pid() {
    return process.pid();
  }

  /** When it was started, as {@link System#nanoTime()}. */
  public long started() {
    return started;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Only of one that is not alive. */
  public int exitCode() {
    return process.exitValue();
  }

  /** The memory it holds, as Linux tells; 0 elsewhere. */
  public long residentBytes() throws IOException {
    Path status = Path.of("/proc/" + process.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    return Files.readAllLines(status).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
        .sum();
  }

  public List<PhaseLog.Mark> phases() {
    return phases.marks();
  }

  /** What it has said since SIGTERM, line by line. */
  List<String> lastWords() {
    synchronized (lastWords) {
      return List.copyOf(lastWords);
    }
  }

  /** Waits for its line. Kills it if it is not ready in time. */
  public void awaitReady() throws InterruptedException {
    try {
      ready.get(READY_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      kill();
      throw new IllegalStateException(
          "pod %d never said '%s'; see %s".formatted(index + 1, readyLine, log), e);
    }
  }

  /** What is known of its processes now. */
  ProcessFacts facts() {
    noteDescendants();
    return ProcessFacts.of(process.toHandle());
  }

  /** Whoever looks at it from time to time misses no process that outlives its parent. */
  public void noteDescendants() {
    process.descendants().forEach(descendants::add);
  }

  /**
   * Sends SIGTERM now, and SIGKILL when the grace period is over.
   *
   * @return the time of the signal
   */
  public long terminate(Duration grace) {
    return terminate(grace, true, Duration.ZERO);
  }

  /**
   * The same.
   *
   * @param deliver false where the kernel would drop the signal, in a container
   * @param dump how long before SIGKILL a JVM is asked for its threads; 0 for never
   */
  long terminate(Duration grace, boolean deliver, Duration dump) {
    noteDescendants();
    terminating = true;
    long sigterm = System.nanoTime();
    if (deliver) {
      // Not Process.destroy(): it closes our end of the pipe, and the last words would be lost.
      process.toHandle().destroy();
    }
    daemon(() -> awaitExit(sigterm, grace, dump), "exit").start();
    return sigterm;
  }

  private void awaitExit(long sigterm, Duration grace, Duration dump) {
    try {
      long end = sigterm + grace.toNanos();
      boolean over =
          process.waitFor(end - dump.toNanos() - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (!over && !dump.isZero()) {
        ProcessFacts.dumpThreads(process.toHandle());
      }
      boolean late = !over && !process.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (late) {
        kill();
      }
      int code = process.waitFor();
      long gone = System.nanoTime();
      // As in a container, where all others go with the first process.
      descendants.forEach(ProcessHandle::destroyForcibly);
      output.join(ENDING_MILLIS);
      // It may have ended by itself in the moment before; and 137 may be of somebody else's kill.
      exit.complete(new Exit(sigterm, gone, code, late && code == SIGKILLED));
    } catch (InterruptedException e) {
      exit.completeExceptionally(e);
    }
  }

  /** Only after {@link #terminate}. */
  public CompletableFuture<Exit> exit() {
    return exit;
  }

  /** SIGKILL to all of its processes, at once. */
  public void kill() {
    noteDescendants();
    process.toHandle().destroyForcibly();
    descendants.forEach(ProcessHandle::destroyForcibly);
  }

  /** Kills what is left, and waits until it has gone and its log is whole. */
  @Override
  public void close() {
    kill();
    boolean interrupted = false;
    try {
      process.waitFor(ENDING_MILLIS, TimeUnit.MILLISECONDS);
      output.join(ENDING_MILLIS);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
