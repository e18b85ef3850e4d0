package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.Check;
import io.lastcall.probe.CheckAction;
import io.lastcall.probe.CheckResult;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.Probes;
import io.lastcall.process.Threads;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What clients and checks cannot make of the server: more threads, more connections, no answer. */
@Timeout(120)
class ProbeServerBoundsTest {
  /** The server's own; the checks' timer; eight for checks. */
  private static final int MAX_THREADS = 10;

  private static final String READYZ = "GET /readyz HTTP/1.1\r\nHost: pod\r\n\r\n";

  private final Set<Thread> before = Threads.alive();
  private final Probes probes = new Probes(() -> true, () -> true);
  private final CountDownLatch release = new CountDownLatch(1);
  private final List<RawClient> clients = new ArrayList<>();
  private ProbeServer server;

  @BeforeEach
  void start() throws IOException {
    server = ProbeServer.start(probes, 0);
  }

  @AfterEach
  void end() throws IOException {
    release.countDown();
    for (RawClient client : clients) {
      client.close();
    }
    server.close();
  }

  private RawClient client() throws IOException {
    RawClient client = new RawClient(server.port());
    clients.add(client);
    return client;
  }

  private void assertAlive() throws IOException {
    assertEquals(200, RawClient.status(server.port(), "GET /livez"));
  }

  private void assertBounded() {
    Set<Thread> more = new HashSet<>(Threads.alive());
    more.removeAll(before);
    more.removeIf(thread -> !thread.getName().startsWith("lastcall-"));
    assertTrue(more.size() <= MAX_THREADS, more.toString());
    assertTrue(server.open() <= ProbeServer.MAX_CONNECTIONS, server.open() + " open");
  }

  private void readiness(String name, CheckAction action) {
    probes.check(ProbeKind.READINESS, Check.of(name, action).withTimeout(Duration.ofSeconds(100)));
  }

  private CheckResult hang() throws InterruptedException {
    release.await();
    return CheckResult.up();
  }

  @Test
  void thousandsOfProbes_areAllAnsweredByOneThread() throws IOException {
    for (int i = 0; i < 4_000; i++) {
      assertEquals(
          200, RawClient.status(server.port(), i % 2 == 0 ? "GET /readyz" : "HEAD /livez"));
    }
    assertBounded();
  }

  @Test
  void checksHang_thousandsOfProbesWait_livenessIsAnsweredAndTheLastOnesToo() throws IOException {
    for (int i = 0; i < 20; i++) {
      readiness("hung" + i, this::hang);
    }
    for (int i = 0; i < 2_000; i++) {
      client().send(READYZ);
      if (i % 100 == 0) {
        assertAlive();
        assertBounded();
      }
    }
    RawClient kubelet = client().send(READYZ);
    assertAlive();
    release.countDown();
    assertTrue(kubelet.rest().startsWith("HTTP/1.1 200 "));
    assertBounded();
  }

  @Test
  void checkThrows_isNamedAndNothingElseFails() throws IOException {
    readiness(
        "database",
        () -> {
          throw new StackOverflowError("password=secret");
        });
    String response = client().send(READYZ).rest();
    assertTrue(response.startsWith("HTTP/1.1 503 Service Unavailable\r\n"), response);
    assertTrue(
        response.endsWith(
            "\r\n\r\n[+]traffic ok\n[-]database failed: StackOverflowError\nreadyz check failed\n"),
        response);
    assertAlive();
  }

  @Test
  void clientsThatTrickleOrNeverClose_areCutOff() throws IOException {
    RawClient trickling = client();
    RawClient staying = client().send(READYZ);
    assertTrue(staying.rest().startsWith("HTTP/1.1 200 "));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> !accepts(trickling) && server.open() == 0);
    assertAlive();
  }

  /** Neither of the workers nor of the timer, though the check had a hundred seconds. */
  @Test
  void checkHasEnded_nobodyAsks_noThreadOfTheirsStays() throws IOException {
    readiness("database", CheckResult::up);
    assertTrue(client().send(READYZ).rest().startsWith("HTTP/1.1 200 "));
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> threadsOfChecks().isEmpty());
  }

  private Set<Thread> threadsOfChecks() {
    Set<Thread> more = new HashSet<>(Threads.alive());
    more.removeAll(before);
    more.removeIf(thread -> !thread.getName().startsWith("lastcall-check"));
    return more;
  }

  @Test
  void bodyWithoutEnd_isCutOff() throws IOException {
    try (ProbeServer patient = ProbeServer.start(probes, 0, Duration.ofHours(1));
        RawClient client = new RawClient(patient.port())) {
      client.send(READYZ);
      assertThrows(
          IOException.class,
          () -> {
            for (int i = 0; i < 10_000; i++) {
              client.send("x".repeat(1_000));
            }
          });
    }
  }

  /** A byte every now and then is no reason for another five seconds. */
  private static boolean accepts(RawClient client) {
    try {
      client.send("x");
      return true;
    } catch (IOException reset) {
      return false;
    }
  }

  @Test
  void close_whileProbesWait_endsTheThread() throws IOException {
    readiness("hung", this::hang);
    RawClient waiting = client().send(READYZ);
    assertAlive();
    server.close();
    assertEquals("", waiting.rest());
    assertTrue(!server.isAlive(), "left in select, it costs the exit 300 ms");
  }
}
