package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.cluster.Ports;
import io.lastcall.testing.Kubelet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole terminations of the packaged example servers, done and seen by a kubelet. */
@Timeout(300)
class KubeletTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Duration GRACE = Duration.ofSeconds(60);
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Path folder;
  private final Path file;
  private final int probePort = Ports.next();

  KubeletTest(@TempDir Path folder) throws IOException {
    this.folder = folder;
    file = folder.resolve("ready");
  }

  private ExampleServer start(String name, Map<String, String> more) throws IOException {
    Map<String, String> environment = new HashMap<>(more);
    environment.put("LASTCALL_GRACE_PERIOD", GRACE.toSeconds() + "s");
    environment.put("LASTCALL_PROBE_PORT", Integer.toString(probePort));
    environment.put("LASTCALL_PRE_STOP_TOKEN", TOKEN);
    return ExampleServer.start(name, folder, environment);
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "undertow", "netty"})
  void termination_throughPreStopThenSigterm_isSeenByEveryProbeAsItShouldBe(String name)
      throws Exception {
    Map<String, String> settings =
        Map.of(
            "LASTCALL_PROPAGATION_DELAY", "2s",
            "LASTCALL_READINESS_HOLD", "10s",
            "LASTCALL_READINESS_FILE", file.toString());
    try (ExampleServer server = start(name, settings);
        Kubelet readiness = new Kubelet(Kubelet.httpGet(server.port(), "/readyz"), PERIOD, 3);
        Kubelet exec = new Kubelet(Kubelet.exec("test", "-e", file.toString()), PERIOD, 3);
        Kubelet startup =
            new Kubelet(Kubelet.httpGet(server.port(), "/startupz?verbose"), PERIOD, 3);
        Kubelet liveness = new Kubelet(Kubelet.httpGet(server.port(), "/livez"), PERIOD, 3);
        Kubelet toTheEnd = new Kubelet(Kubelet.httpGet(probePort, "/livez"), PERIOD, 3)) {
      List<Kubelet> all = List.of(readiness, exec, startup, liveness, toTheEnd);
      Awaitility.await().until(() -> all.stream().allMatch(kubelet -> kubelet.told(true)));

      long began = System.nanoTime();
      // As kubelets before 1.26 sent it: two slashes, no headers. Jetty refuses an empty segment.
      String slashes = name.equals("jetty") ? "/" : "//";
      assertEquals(200, Kubelet.preStop(server.port(), slashes + "prestop/" + TOKEN, GRACE));
      long took = System.nanoTime() - began;
      assertTrue(took >= Duration.ofSeconds(2).toNanos(), took + " ns");

      server.terminate();
      Awaitility.await().until(() -> readiness.told(true, false) && exec.told(true, false));
      for (Kubelet kubelet : List.of(readiness, exec)) {
        Duration red = kubelet.failedAfter(began);
        assertTrue(red.compareTo(Duration.ofSeconds(2)) >= 0, red::toString);
      }
      assertTrue(server.isAlive() && liveness.told(true) && toTheEnd.told(true), "dead too early");
      assertEquals(0, server.exitCode(GRACE), server::log);
      Awaitility.await().until(() -> toTheEnd.told(true, false));
      assertFalse(Files.exists(file));
    }
  }

  /** No drain and no hold behind the delay: the answer is due in the very moment of the end. */
  @Tag("all")
  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "netty"})
  void prestop_nothingToDrain_isAnsweredBeforeTheServerIsGone(String name) throws Exception {
    try (ExampleServer server = start(name, Map.of("LASTCALL_PROPAGATION_DELAY", "1s"))) {
      assertEquals(200, Kubelet.preStop(server.port(), "/prestop/" + TOKEN, GRACE));
      server.terminate();
      assertEquals(0, server.exitCode(GRACE), server::log);
    }
  }
}
