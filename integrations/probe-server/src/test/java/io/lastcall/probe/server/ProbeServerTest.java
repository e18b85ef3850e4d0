package io.lastcall.probe.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.Probes;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ProbeServerTest {
  private final AtomicBoolean ready = new AtomicBoolean(true);
  private final Probes probes = FixedProbes.of(() -> true, ready::get);
  private final List<RawClient> clients = new ArrayList<>();
  private ProbeServer server = start();

  private ProbeServer start() {
    try {
      return ProbeServer.start(probes, 0);
    } catch (IOException e) {
      throw new AssertionError("No port", e);
    }
  }

  @BeforeEach
  void serverAnswers() throws IOException {
    assertReady();
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

  private void assertReady() throws IOException {
    assertEquals(200, RawClient.status(server.port(), "GET /readyz"));
  }

  @Test
  void get_readyz_isAWholeResponseOnAConnectionThatEnds() throws IOException {
    String response = client().send("GET //readyz?verbose HTTP/1.1\r\nHost: x\r\n\r\n").rest();
    assertTrue(response.startsWith("HTTP/1.1 200 OK\r\nDate: "), response);
    assertTrue(response.contains("\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"));
    assertTrue(response.endsWith("\r\n\r\n[+]traffic ok\nreadyz check passed\n"), response);
  }

  /** It could not wait any more, and would spin. */
  @Test
  void interrupted_itsThread_forgetsIt() {
    Thread probing =
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> thread.getName().equals("lastcall-probes"))
            .findAny()
            .orElseThrow();
    probing.interrupt();
    await().until(() -> !probing.isInterrupted());
  }

  @Test
  void get_readinessFailed_isUnavailable() throws IOException {
    ready.set(false);
    assertEquals(503, RawClient.status(server.port(), "GET /readyz"));
    assertEquals(200, RawClient.status(server.port(), "GET /livez"));
  }

  @Test
  void get_anyOtherPath_isNotFound() throws IOException {
    assertEquals(404, RawClient.status(server.port(), "GET /prestop"));
    assertEquals(404, RawClient.status(server.port(), "GET /../etc/passwd"));
    assertEquals(405, RawClient.status(server.port(), "POST /readyz"));
  }

  @Test
  void head_readyz_hasNoBody() throws IOException {
    String response = client().send("HEAD /readyz HTTP/1.0\n\n").rest();
    assertTrue(response.contains("Content-Length: 3\r\n"), response);
    assertTrue(response.endsWith("\r\n\r\n"), response);
  }

  @Test
  void get_acceptsJson_isJson() throws IOException {
    String request =
        "GET /livez HTTP/1.1\r\nHost: x\r\naccept: text/html, application/json\r\n\r\n";
    assertTrue(
        client()
            .send(request)
            .rest()
            .endsWith(
                "{\"status\":\"UP\",\"checks\":" + "[{\"name\":\"alive\",\"status\":\"UP\"}]}"));
  }

  @Test
  void get_absoluteForm_isAnswered() throws IOException {
    String request = "GET http://10.0.0.1:8081/readyz HTTP/1.1\r\nHost: x\r\n\r\n";
    assertTrue(client().send(request).rest().startsWith("HTTP/1.1 200 "));
  }

  @Test
  void get_byteByByte_isAnswered() throws IOException {
    RawClient client = client();
    for (char c : "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n".toCharArray()) {
      client.send(String.valueOf(c));
    }
    assertTrue(client.rest().startsWith("HTTP/1.1 200 "));
  }

  @Test
  void get_clientHalfCloses_isAnswered() throws IOException {
    String request = "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n";
    assertTrue(client().send(request).shutOutput().rest().startsWith("HTTP/1.1 200 "));
  }

  @Test
  void post_withABody_isAnsweredAndNotReset() throws IOException {
    String body = "x".repeat(20_000);
    String request = "POST /readyz HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + body;
    assertTrue(client().send(request).rest().startsWith("HTTP/1.1 405 "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n\r\n",
        "GET\r\n\r\n",
        "GET /readyz\r\n\r\n",
        "GET /readyz HTTP/2.0\r\n\r\n",
        "GET readyz HTTP/1.1\r\n\r\n",
        "GET /ready\u0000z HTTP/1.1\r\n\r\n",
        "get /readyz HTTP/1.1\r\n\r\n",
        "GET /readyz HTTP/1.1\r\nno colon\r\n\r\n",
        "GET /readyz HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
        "\u0016\u0003\u0001 a TLS hello\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
      })
  void malformedRequest_isRefusedAndTheServerGoesOn(String request) throws IOException {
    assertTrue(client().send(request).rest().startsWith("HTTP/1.1 400 Bad Request\r\n"));
    assertReady();
  }

  @Test
  void hugeHeader_isRefusedWithoutBeingKept() throws IOException {
    String huge = "GET /readyz HTTP/1.1\r\nX: " + "x".repeat(40_000);
    assertTrue(client().send(huge).rest().startsWith("HTTP/1.1 431 "));
    assertReady();
  }

  @Test
  void silentAndSlowClients_asManyAsTheyAre_holdUpNoProbe() throws IOException {
    for (int i = 0; i < 3_000; i++) {
      RawClient client = client();
      if (i % 2 == 0) {
        client.send("GET /readyz HTTP/1.1\r\nHo");
      }
      if (i % 100 == 0) {
        assertReady();
      }
    }
    assertReady();
    assertTrue(server.open() <= ProbeServer.MAX_CONNECTIONS, server.open() + " open");
  }

  @Test
  void silentClient_isCutOff() throws IOException {
    try (ProbeServer hasty = ProbeServer.start(probes, 0, Duration.ofMillis(50));
        RawClient silent = new RawClient(hasty.port())) {
      assertEquals("", silent.rest());
    }
  }

  @Test
  void start_portTaken_fails() {
    assertThrows(IOException.class, () -> ProbeServer.start(probes, server.port()));
  }

  @Test
  void close_withClients_endsThreadListenerAndConnections() throws IOException {
    int port = server.port();
    RawClient silent = client();
    // Accepted in the order of their coming: behind this answer, the silent one is in too.
    assertReady();
    server.close();
    assertEquals("", silent.rest());
    assertFalse(server.isAlive());
    assertThrows(ConnectException.class, () -> new RawClient(port));
    server.close();
    server = start();
  }
}
