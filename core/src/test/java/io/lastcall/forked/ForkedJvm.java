package io.lastcall.forked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A main class, such as {@link Victim}, or a module in a JVM of its own, with its output. */
final class ForkedJvm implements AutoCloseable {
  /** Only ever reached by a bug: then the process is killed, and its exit code is 137. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final List<String> output = new CopyOnWriteArrayList<>();
  private final Process process;
  private final Thread reader;

  private ForkedJvm(List<String> command) throws IOException {
    this(command, true);
  }

  /**
   * @param read whether what it prints is read
   */
  private ForkedJvm(List<String> command, boolean read) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    builder.environment().remove("KUBERNETES_SERVICE_HOST");
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    process = builder.start();
    reader = new Thread(this::read, "output of " + process.pid());
    reader.setDaemon(true);
    if (read) {
      reader.start();
    }
  }

  /** Starts the scenario and waits until it says that it is ready. */
  static ForkedJvm start(String scenario, String... options) throws IOException {
    return start(Victim.class, scenario, options);
  }

  /** As {@link #start(String, String...)}, with another main class. */
  static ForkedJvm start(Class<?> main, String scenario, String... options) throws IOException {
    return ready(java(main, scenario, options));
  }

  /** As {@link #start}, with an address space too small for many threads. */
  static ForkedJvm startWithFewThreads(String scenario) throws IOException {
    String java =
        String.join(
            " ", java(Victim.class, scenario, "-Xss256m", "-XX:CompressedClassSpaceSize=32m"));
    return ready(List.of("/bin/sh", "-c", "ulimit -v 8000000; exec " + java));
  }

  /** Starts a scenario whose output nobody reads; it is ready once that file is there. */
  static ForkedJvm startUnread(String scenario, Path ready, String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("-Dready=" + ready);
    ForkedJvm jvm = new ForkedJvm(java(Victim.class, scenario, all.toArray(String[]::new)), false);
    return jvm.closedUnless(
        () ->
            Awaitility.await().atMost(PATIENCE).until(() -> !jvm.isAlive() || Files.exists(ready)));
  }

  /** Starts an application that is a module. */
  static ForkedJvm startModule(String modulePath, String main) throws IOException {
    return new ForkedJvm(List.of(javaBinary(), "-p", modulePath, "-m", main));
  }

  private static ForkedJvm ready(List<String> command) throws IOException {
    ForkedJvm jvm = new ForkedJvm(command);
    return jvm.closedUnless(() -> jvm.awaitLine("ready"));
  }

  /** Closes it if it is not ready in time: the test has nothing to close. */
  private ForkedJvm closedUnless(Runnable awaitReady) {
    try {
      awaitReady.run();
      return this;
    } catch (RuntimeException | Error notReady) {
      close();
      throw notReady;
    }
  }

  private static List<String> java(Class<?> main, String scenario, String... options) {
    String classes = System.getProperty("surefire.test.class.path");
    List<String> command = new ArrayList<>();
    command.add(javaBinary());
    command.addAll(List.of("-Xmx48m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of(options));
    command.add("-cp");
    command.add(classes != null ? classes : System.getProperty("java.class.path"));
    command.add(main.getName());
    command.add(scenario);
    return command;
  }

  private static String javaBinary() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        output.add(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void signal(String name) throws IOException {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    Awaitility.await().until(() -> !kill.isAlive());
    assertEquals(0, kill.exitValue());
  }

  void awaitLine(String part) {
    Awaitility.await().atMost(PATIENCE).until(() -> !reader.isAlive() || indexOf(part) >= 0);
    assertTrue(indexOf(part) >= 0, () -> "Never printed: " + part + "\n" + text());
  }

  /** Returns what was printed behind {@code prefix}. */
  String value(String prefix) {
    awaitLine(prefix);
    String line = output.get(indexOf(prefix));
    return line.substring(line.indexOf(prefix) + prefix.length());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Types a line. */
  void enterNewline() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  /** Waits for the end; fails unless it comes with one of {@code codes}. */
  void assertExits(Integer... codes) throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    int code = process.waitFor();
    reader.join();
    assertTrue(List.of(codes).contains(code), () -> "Exit code " + code + "\n" + text());
  }

  /** Fails unless lines with these parts were printed, in this order. */
  void assertOrder(String... parts) {
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      assertTrue(indexOf(part) >= 0, () -> "Never printed: " + part + "\n" + text());
      if (i > 0) {
        String before = parts[i - 1];
        assertTrue(
            indexOf(before) < indexOf(part), () -> before + " not before " + part + "\n" + text());
      }
    }
  }

  void assertNever(String part) {
    assertFalse(indexOf(part) >= 0, this::text);
  }

  /** Fails if a line with this part was printed between two others. */
  void assertNoneBetween(String first, String last, String part) {
    assertOrder(first, last);
    assertTrue(
        output.subList(indexOf(first), indexOf(last)).stream()
            .noneMatch(line -> line.contains(part)),
        this::text);
  }

  private int indexOf(String part) {
    for (int i = 0; i < output.size(); i++) {
      if (output.get(i).contains(part)) {
        return i;
      }
    }
    return -1;
  }

  private String text() {
    return String.join("\n", output);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
