package io.lastcall.drill;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.cluster.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/** A packaged example server in a JVM of its own. */
final class ExampleServer implements AutoCloseable {
  /** Where the servers are built. */
  static final Path SUBJECTS = Path.of("subjects").toAbsolutePath();

  private final int port;
  private final Process process;
  private final Path log;

  private ExampleServer(int port, Process process, Path log) {
    this.port = port;
    this.process = process;
    this.log = log;
  }

  /** Where the server of this name is, if the build has packaged it. */
  static Path jar(String name) {
    return CommandLine.parse("--examples=" + SUBJECTS).jar(name);
  }

  /** Starts it, as {@link #launch} does, and waits until it is ready. */
  static ExampleServer start(String name, Path folder, Map<String, String> environment)
      throws IOException {
    ExampleServer server = launch(name, folder, environment);
    server.awaitReady();
    return server;
  }

  /**
   * Starts it; skips the test where it is not packaged.
   *
   * @param folder where it runs, logs, and has its temporary files
   */
  static ExampleServer launch(String name, Path folder, Map<String, String> environment)
      throws IOException {
    Path jar = jar(name);
    assumeTrue(
        Files.exists(jar),
        jar + " is not packaged: run mvn verify, which packages it before this test");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    int port = Ports.next();
    Path log = folder.resolve("log");
    ProcessBuilder builder =
        new ProcessBuilder(
                java,
                // It starts faster, and nothing here is about how fast it runs.
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + folder,
                "-jar",
                jar.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("PORT", Integer.toString(port));
    builder.environment().putAll(environment);
    return new ExampleServer(port, builder.start(), log);
  }

  /** Kills it if it is not ready in time: the test has nothing to close. */
  private void awaitReady() {
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> log().contains("ready on port " + port));
    } catch (ConditionTimeoutException e) {
      close();
      throw e;
    }
  }

  int port() {
    return port;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** SIGTERM. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Waits for its end; SIGKILL when {@code grace} is over, and then the exit code is 137. */
  int exitCode(Duration grace) throws InterruptedException {
    if (!process.waitFor(grace.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    // Behind that nobody writes into its folder any more.
    process.destroyForcibly().onExit().join();
  }
}
