package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spring's sessions on Jetty, where they are none of {@code jakarta.websocket}. */
@Timeout(180)
class JettyWebSocketTest {
  private static final String HANDSHAKE =
      String.join(
          "\r\n",
          "GET /push HTTP/1.1",
          "Host: test",
          "Connection: upgrade",
          "Upgrade: websocket",
          "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
          "",
          "");

  /** A phone without a network, say: not even the close frame leaves, and nobody waits for that. */
  @Test
  void webSocket_clientTakesNothingIn_isGivenUpOn() throws Exception {
    try (Service service = Service.start("--test.sockets=true", "--lastcall.propagation-delay=0s");
        RawClient client = new RawClient(service.port())) {
      client.send(HANDSHAKE).readHead();
      client.skip(1);
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      String summary = service.awaitLine("Shutdown clean");
      assertTrue(summary.contains("connections closed websocket 1,"), summary);
      assertEquals(-1, service.index("telling a connection to close does not end"));
    }
  }
}
