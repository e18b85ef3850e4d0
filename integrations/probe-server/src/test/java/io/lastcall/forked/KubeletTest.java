package io.lastcall.forked;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.FreePort;
import io.lastcall.testing.Kubelet;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole termination of a real process as a kubelet sees it, with every mechanism it has. */
@Timeout(180)
class KubeletTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final Duration PERIOD = Duration.ofMillis(100);

  private @TempDir Path folder = Path.of("unset");
  private final int readinessPort = FreePort.next();

  private Path file() {
    return folder.resolve("ready");
  }

  private ForkedJvm pod(String... more) throws IOException {
    return pod("free", more);
  }

  /** One that drains until it reads a newline. */
  private ForkedJvm heldPod() throws IOException {
    return pod("held", new String[0]);
  }

  private ForkedJvm pod(String scenario, String[] more) throws IOException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Dlastcall.grace-period=30s",
                "-Dlastcall.propagation-delay=2s",
                "-Dlastcall.clean-exit-code=0",
                "-Dlastcall.readiness-hold=2s",
                "-Dlastcall.probe-port=0",
                "-Dlastcall.pre-stop-token=" + TOKEN,
                "-Dlastcall.readiness-file=" + file(),
                "-Dlastcall.readiness-port=" + readinessPort));
    options.addAll(List.of(more));
    return ForkedJvm.start(Pod.class, scenario, options.toArray(String[]::new));
  }

  @Test
  void termination_throughPreStopThenSigterm_isSeenByEveryMechanismAsItShouldBe()
      throws IOException, InterruptedException {
    Files.createFile(file()); // what a crash has left
    try (ForkedJvm pod = heldPod()) {
      int port = Integer.parseInt(pod.value("Probes are answered on port "));
      try (Kubelet readyz = new Kubelet(Kubelet.httpGet(port, "/readyz"), PERIOD, 3);
          Kubelet exec = new Kubelet(Kubelet.exec("test", "-e", file().toString()), PERIOD, 3);
          Kubelet livez = new Kubelet(Kubelet.httpGet(port, "//livez"), PERIOD, 3);
          Kubelet tcp = new Kubelet(Kubelet.tcpSocket(port), PERIOD, 1);
          Kubelet open = new Kubelet(Kubelet.tcpSocket(readinessPort), PERIOD, 3)) {
        for (Kubelet kubelet : List.of(readyz, exec, livez, tcp, open)) {
          Awaitility.await().until(() -> kubelet.told(true));
        }
        long began = System.nanoTime();
        assertEquals(200, RawClient.status(port, "GET //prestop/" + TOKEN));
        long waited = System.nanoTime() - began;
        assertTrue(waited >= Duration.ofSeconds(2).toNanos(), waited + " ns");
        pod.signal("TERM");
        for (Kubelet kubelet : List.of(readyz, exec, open)) {
          Awaitility.await().until(() -> kubelet.told(true, false));
          assertNotBefore(Duration.ofSeconds(2), began, kubelet);
        }
        assertTrue(pod.isAlive() && livez.told(true) && tcp.told(true), "dead before the end");
        pod.enterNewline();
        pod.assertExits(0);
        Awaitility.await().until(() -> livez.told(true, false) && tcp.told(true, false));
      }
      pod.assertOrder("Shutdown begun by", "Readiness fails now", "pool closed", "Shutdown clean");
      assertFalse(Files.exists(file()));
    }
  }

  @Test
  void termination_bySigtermAlone_failsReadinessAfterPropagation()
      throws IOException, InterruptedException {
    try (ForkedJvm pod = heldPod()) {
      int port = Integer.parseInt(pod.value("Probes are answered on port "));
      try (Kubelet readyz = new Kubelet(Kubelet.httpGet(port, "/readyz"), PERIOD, 3)) {
        Awaitility.await().until(() -> readyz.told(true));
        long began = System.nanoTime();
        pod.signal("TERM");
        Awaitility.await().until(() -> readyz.told(true, false));
        assertNotBefore(Duration.ofSeconds(2), began, readyz);
        pod.enterNewline();
        pod.assertExits(0);
      }
    }
  }

  @Test
  void termination_policyImmediate_failsReadinessAtTheTrigger()
      throws IOException, InterruptedException {
    try (ForkedJvm pod = pod("-Dlastcall.readiness-policy=IMMEDIATE")) {
      int port = Integer.parseInt(pod.value("Probes are answered on port "));
      assertEquals(200, RawClient.status(port, "GET /readyz"));
      pod.signal("TERM");
      pod.awaitLine("Shutdown begun by");
      assertEquals(503, RawClient.status(port, "GET /readyz"));
      assertEquals(200, RawClient.status(port, "GET /livez"));
      Awaitility.await().until(() -> !Files.exists(file()));
      pod.assertExits(0);
    }
  }

  /** The answer is due in the very moment of the end. */
  @Test
  void prestop_nothingToDrain_isAnsweredBeforeTheProcessIsGone()
      throws IOException, InterruptedException {
    try (ForkedJvm pod =
        pod("-Dlastcall.propagation-delay=500ms", "-Dlastcall.readiness-hold=0s")) {
      int port = Integer.parseInt(pod.value("Probes are answered on port "));
      assertEquals(200, RawClient.status(port, "GET /prestop/" + TOKEN));
      pod.assertExits(0);
    }
  }

  /** Half requests of 8 KB each: kept, they would fill more than this heap. */
  @Test
  void probePort_thousandsOfHalfRequests_isAnsweredOutOfASmallHeapToTheEnd()
      throws IOException, InterruptedException {
    String half = "GET /readyz HTTP/1.1\r\nX: " + "x".repeat(8_000);
    List<RawClient> clients = new ArrayList<>();
    try (ForkedJvm pod = pod("-Xmx16m")) {
      int port = Integer.parseInt(pod.value("Probes are answered on port "));
      for (int i = 0; i < 3_000; i++) {
        clients.add(new RawClient(port).send(half));
        if (i % 200 == 0) {
          assertEquals(200, RawClient.status(port, "GET /readyz"));
        }
      }
      pod.signal("TERM");
      pod.awaitLine("Shutdown begun by");
      assertEquals(200, RawClient.status(port, "GET /livez"));
      pod.assertExits(0);
      pod.assertNever("OutOfMemoryError");
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private static void assertNotBefore(Duration delay, long began, Kubelet kubelet) {
    Duration red = kubelet.failedAfter(began);
    assertTrue(red.compareTo(delay) >= 0, red.toString());
  }

  @AfterEach
  void fileIsGone() {
    assertFalse(Files.exists(file()));
  }
}
