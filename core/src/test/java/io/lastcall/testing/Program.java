package io.lastcall.testing;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An example in a JVM of its own, with the lines that it prints. Its log goes to a file. On Linux
 * {@link System#nanoTime} is one clock for all processes, so times of several are compared.
 */
public final class Program implements AutoCloseable {
  /** Spring Boot takes four seconds of a core to start, which are minutes on a busy machine. */
  private static final long PATIENCE_SECONDS = 180;

  private static final File LOG = new File("target", "programs.log");

  private final Process process;
  private final Thread reader;
  private final List<Line> lines = new ArrayList<>();

  /**
   * A line of three words.
   *
   * @param what happened
   * @param subject to what
   * @param nanos when
   */
  public record Line(String what, String subject, long nanos) {}

  /**
   * Starts it.
   *
   * @param options for the JVM
   */
  public Program(Class<?> main, List<String> arguments, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(ProcessBuilder.Redirect.appendTo(LOG));
    process = builder.start();
    reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        String[] parts = line.split(" ", -1);
        add(new Line(parts[0], parts[1], Long.parseLong(parts[2])));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Line line) {
    synchronized (lines) {
      lines.add(line);
      lines.notifyAll();
    }
  }

  /** Returns what it has printed so far. */
  public List<Line> lines() {
    synchronized (lines) {
      return List.copyOf(lines);
    }
  }

  /** Returns the lines of a kind that it has printed so far. */
  public List<Line> lines(String what) {
    return lines().stream().filter(line -> line.what.equals(what)).toList();
  }

  /**
   * Waits until it has printed a number of lines of this kind.
   *
   * @throws AssertionError if it ends before, or takes three minutes
   */
  public void await(String what, int number) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    synchronized (lines) {
      while (lines(what).size() < number) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0 || !reader.isAlive()) {
          throw new AssertionError("It never printed " + number + " times " + what + ": " + lines);
        }
        lines.wait(Math.min(left, 100)); // its end notifies nobody
      }
    }
  }

  /** Sends SIGTERM; not {@link Process#destroy()}, which closes the output too. */
  public void sigterm() {
    process.toHandle().destroy();
  }

  /** Ends it as a node that is lost does. */
  public void sigkill() {
    process.toHandle().destroyForcibly();
  }

  /** Waits until it is gone, and returns its exit code. */
  public int awaitExit() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new AssertionError("It did not end within " + PATIENCE_SECONDS + " s");
    }
    return process.exitValue();
  }

  /** Waits until every line is read. */
  public void awaitOutput() throws InterruptedException {
    reader.join();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
