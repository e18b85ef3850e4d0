package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A container of its own, deleted with less time than it was told. The test plays the kubelet. */
@Timeout(120)
class OwnDeadlineTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder = Path.of("unset");
  private Path output = Path.of("unset");
  private @Nullable FakeApiServer running;

  @BeforeEach
  void start() throws Exception {
    output = folder.resolve("output");
    running = FakeApiServer.start(folder);
  }

  @AfterEach
  void stop() {
    server().close();
  }

  private FakeApiServer server() {
    return Objects.requireNonNull(running);
  }

  private Process container(String scenario) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx48m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dlastcall.service-account=" + folder,
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            ServedPod.class.getName(),
            scenario);
    builder.environment().keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().putAll(server().environment());
    builder.redirectErrorStream(true).redirectOutput(output.toFile());
    return builder.start();
  }

  private String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return "";
    }
  }

  /** Sends SIGTERM, and SIGKILL after the grace period. */
  private void delete(Process container, int graceSeconds) throws InterruptedException {
    Awaitility.await().atMost(PATIENCE).until(() -> output().contains("ready"));
    // The request at start is answered: the Pod is deleted after it.
    Awaitility.await().atMost(PATIENCE).until(() -> !server().requests.isEmpty());
    server().deleted(0, graceSeconds);
    container.destroy();
    if (!container.waitFor(graceSeconds, TimeUnit.SECONDS)) {
      container.destroyForcibly();
    }
  }

  @Test
  void delete_gracePeriodOf5_anIdleContainerIsGoneByItself() throws Exception {
    Process container = container("idle");
    delete(container, 5);
    assertEquals(143, container.waitFor(), this::output);
    assertTrue(output().contains("SIGKILL comes earlier than declared"), this::output);
  }

  @Test
  void delete_gracePeriodOf5_aBusyContainerGivesUpInTime() throws Exception {
    Process container = container("busy");
    delete(container, 5);
    assertEquals(80, container.waitFor(), this::output);
    assertTrue(output().contains("step 'endless' timed out"), this::output);
  }

  @Test
  void start_thePodTerminatesAlready_theContainerEndsWithoutASignal() throws Exception {
    server().deleted(1, 20);
    Process container = container("unrouted");
    assertTrue(container.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), this::output);
    assertEquals(143, container.exitValue(), this::output);
    assertTrue(
        output().contains("Shutdown begun by the Pod's deletion, which was found at start"),
        this::output);
    assertEquals(
        List.of(true, true),
        server().requests.stream().map(line -> line.endsWith("true")).toList());
  }
}
