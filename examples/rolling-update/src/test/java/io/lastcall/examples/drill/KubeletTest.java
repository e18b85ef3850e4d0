package io.lastcall.examples.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole terminations of the packaged example servers, done and seen by a kubelet. */
@Timeout(180)
class KubeletTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Path folder;
  private final Path file;
  private final Path log;
  private final int port = Ports.next();
  private final int probePort = Ports.next();
  private Optional<Process> started = Optional.empty();

  KubeletTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    file = folder.resolve("ready");
    log = folder.resolve("log");
  }

  private Process start(String name, Map<String, String> more) throws IOException {
    Path jar = Path.of("..", name, "target", name + ".jar").toAbsolutePath().normalize();
    assumeTrue(
        Files.exists(jar),
        jar + " is not packaged: run mvn verify, which packages it before this test");
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-jar", jar.toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("PORT", Integer.toString(port));
    builder.environment().put("LASTCALL_GRACE_PERIOD", GRACE.toSeconds() + "s");
    builder.environment().put("LASTCALL_PROBE_PORT", Integer.toString(probePort));
    builder.environment().put("LASTCALL_PRE_STOP_TOKEN", TOKEN);
    builder.environment().putAll(more);
    Process server = builder.start();
    started = Optional.of(server);
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.readString(log).contains("ready on port " + port));
    return server;
  }

  /** SIGTERM. */
  private static void terminate(Process server) {
    server.toHandle().destroy();
  }

  /** SIGKILL when the grace period is over; its exit code is 137. */
  private static int exitCode(Process server) throws InterruptedException {
    if (!server.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
      server.destroyForcibly();
    }
    return server.waitFor();
  }

  @AfterEach
  void kill() {
    started.ifPresent(Process::destroyForcibly);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "undertow", "netty"})
  void termination_throughPreStopThenSigterm_isSeenByEveryProbeAsItShouldBe(String name)
      throws Exception {
    Process server =
        start(
            name,
            Map.of(
                "LASTCALL_PROPAGATION_DELAY", "2s",
                "LASTCALL_READINESS_HOLD", "3s",
                "LASTCALL_READINESS_FILE", file.toString()));
    try (Kubelet readiness = new Kubelet(Kubelet.httpGet(port, "/readyz"));
        Kubelet exec = new Kubelet(Kubelet.exec("test", "-e", file.toString()));
        Kubelet startup = new Kubelet(Kubelet.httpGet(port, "/startupz?verbose"));
        Kubelet liveness = new Kubelet(Kubelet.httpGet(port, "/livez"));
        Kubelet toTheEnd = new Kubelet(Kubelet.httpGet(probePort, "/livez"))) {
      List<Kubelet> all = List.of(readiness, exec, startup, liveness, toTheEnd);
      Awaitility.await().until(() -> all.stream().allMatch(kubelet -> kubelet.told(true)));

      long began = System.nanoTime();
      // As kubelets before 1.26 sent it: two slashes, no headers. Jetty refuses an empty segment.
      String slashes = name.equals("jetty") ? "/" : "//";
      assertEquals(200, Kubelet.preStop(port, slashes + "prestop/" + TOKEN, GRACE));
      long took = System.nanoTime() - began;
      assertTrue(took >= Duration.ofSeconds(2).toNanos(), took + " ns");
      assertTrue(readiness.told(true) && exec.told(true), "not ready while endpoints propagated");

      terminate(server);
      Awaitility.await().until(() -> readiness.told(true, false) && exec.told(true, false));
      assertTrue(server.isAlive() && liveness.told(true) && toTheEnd.told(true), "dead too early");
      assertEquals(0, exitCode(server), this::text);
      Awaitility.await().until(() -> toTheEnd.told(true, false));
      assertFalse(Files.exists(file));
    }
  }

  /** No drain and no hold behind the delay: the answer is due in the very moment of the end. */
  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "undertow", "netty"})
  void prestop_nothingToDrain_isAnsweredBeforeTheServerIsGone(String name) throws Exception {
    Process server = start(name, Map.of("LASTCALL_PROPAGATION_DELAY", "1s"));
    assertEquals(200, Kubelet.preStop(port, "/prestop/" + TOKEN, GRACE));
    terminate(server);
    assertEquals(0, exitCode(server), this::text);
  }

  private String text() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
