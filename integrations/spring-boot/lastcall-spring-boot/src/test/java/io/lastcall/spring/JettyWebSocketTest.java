package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Spring's sessions on Jetty, where they are none of {@code jakarta.websocket}. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class JettyWebSocketTest {
  /** A phone without a network, say: not even the close frame leaves, and nobody waits for that. */
  @Test
  void webSocket_clientTakesNothingIn_isGivenUpOn() throws Exception {
    try (Service service = Service.start("--test.sockets=true", "--lastcall.propagation-delay=0s");
        RawClient client = new RawClient(service.port())) {
      client.openWebSocket("/push");
      client.skip(1);
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("ended 1 WebSocket");
      assertEquals(-1, service.index("telling a connection to close does not end"));
    }
  }
}
