package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.process.Threads;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients cannot make the server have more threads, more connections, or no answer. */
@Timeout(120)
class ProbeServerBoundsTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String READYZ = "GET /readyz HTTP/1.1\r\nHost: pod\r\n\r\n";

  /** It waits for the end of the propagation. */
  private static final String PRESTOP = "GET /prestop/" + TOKEN + " HTTP/1.1\r\nHost: pod\r\n\r\n";

  private final Set<Thread> before = Threads.alive();
  private final PendingShutdown shutdown = new PendingShutdown();
  private final Probes probes = new Probes(shutdown, ProbeToken.of(TOKEN), Ticker.system());
  private final List<RawClient> clients = new ArrayList<>();
  private ProbeServer server;

  @BeforeEach
  void start() throws IOException {
    server = ProbeServer.start(probes, 0);
  }

  @AfterEach
  void end() throws IOException {
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
    assertEquals(1, more.size(), more.toString());
    assertTrue(server.open() <= ProbeServer.MAX_CONNECTIONS, server.open() + " open");
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
  void thousandsOfHooksWait_livenessIsAnsweredAndTheLastOnesToo() throws IOException {
    for (int i = 0; i < 2_000; i++) {
      client().send(PRESTOP);
      if (i % 100 == 0) {
        assertAlive();
        assertBounded();
      }
    }
    RawClient kubelet = client().send(PRESTOP);
    assertAlive();
    shutdown.propagated.complete(null);
    assertTrue(kubelet.rest().startsWith("HTTP/1.1 200 "));
    assertBounded();
  }

  @Test
  void clientsThatTrickleOrNeverClose_areCutOff() throws IOException {
    RawClient trickling = client();
    RawClient staying = client().send(READYZ);
    assertTrue(staying.rest().startsWith("HTTP/1.1 200 "));
    Awaitility.await().until(() -> !accepts(trickling) && server.open() == 0);
    assertAlive();
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
  void close_whileAHookWaits_endsTheThread() throws IOException {
    RawClient waiting = client().send(PRESTOP);
    assertAlive();
    server.close();
    assertEquals("", waiting.rest());
    assertTrue(!server.isAlive(), "left in select, it costs the exit 300 ms");
  }
}
