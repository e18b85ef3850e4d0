package io.lastcall.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An example in a JVM of its own, on a port that the kernel has picked. */
public final class ForkedExample implements AutoCloseable {
  private static final String READY = "ready on port ";

  private final Process process;
  private final BufferedReader output;
  private final int port;

  public ForkedExample(Class<?> main, String propagationDelay, Map<String, String> environment)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    builder.environment().put("PORT", "0");
    builder.environment().put("LASTCALL_PROPAGATION_DELAY", propagationDelay);
    builder.environment().putAll(environment);
    process = builder.redirectErrorStream(true).start();
    output = process.inputReader(StandardCharsets.UTF_8);
    port = awaitReady();
  }

  private int awaitReady() throws IOException {
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      int at = line.indexOf(READY);
      if (at >= 0) {
        return Integer.parseInt(line.substring(at + READY.length()));
      }
    }
    throw new IOException("it ended before it was ready");
  }

  public int port() {
    return port;
  }

  /** Not {@link Process#destroy()}, which closes the output too. */
  public void sigterm() {
    process.toHandle().destroy();
  }

  /** Returns what it has printed since it was ready. */
  public List<String> assertEndsClean() throws InterruptedException {
    return assertEnds(0, "outcome=CLEAN");
  }

  /** As {@link #assertEndsClean}, with an exit code and part of a line. */
  public List<String> assertEnds(int code, String part) throws InterruptedException {
    List<String> lines = output.lines().toList();
    assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    assertEquals(code, process.exitValue(), () -> String.join("\n", lines));
    assertTrue(
        lines.stream().anyMatch(line -> line.contains(part)), () -> String.join("\n", lines));
    return lines;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
