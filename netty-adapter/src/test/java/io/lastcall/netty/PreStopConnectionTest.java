package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawHttp2;
import io.lastcall.time.Ticker;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A hook's connection waits for its answer while idle ones are closed around it. */
@Timeout(120)
final class PreStopConnectionTest {
  private static final String PRE_STOP = "/prestop/0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    ProbeToken token = ProbeToken.of("0123456789abcdef");
    server = new TestServer(Transport.NIO, null, new Probes(shutdown, token, Ticker.system()));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private CompletableFuture<?> drain() throws Exception {
    server.server.stopListening(TestServer.soon());
    server.closeIdle();
    return server.server.connectionsEnded().toCompletableFuture();
  }

  private void awaitPreStop() {
    await().until(() -> shutdown.preStops.get() == 1);
    server.leave();
  }

  @Test
  void prestop_http1IdleConnectionsAreClosed_isAnsweredAllTheSame() throws Exception {
    try (RawClient client = server.connect()) {
      client.get(PRE_STOP);
      awaitPreStop();
      CompletableFuture<?> ended = drain();
      assertEquals(0, server.inFlight());

      shutdown.propagated.complete(null);

      String answer = client.until("\r\n\r\nendpoints have propagated\n");
      assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
      assertTrue(answer.contains("connection: close"), answer);
      assertEquals("", client.rest());
      ended.get(60, SECONDS);
    }
  }

  @Test
  void prestop_http2ConnectionsAreToldToGo_isAnsweredAllTheSame() throws Exception {
    try (RawHttp2 client = new RawHttp2(server.port)) {
      client.get(1, PRE_STOP);
      awaitPreStop();
      CompletableFuture<?> ended = drain();
      client.assertNext("GOAWAY 2147483647", "PING");
      client.ack();
      client.ping();
      client.assertNext("PING");
      assertFalse(ended.isDone());

      shutdown.propagated.complete(null);

      client.assertNext("HEADERS 1", "DATA 1 end", "GOAWAY 1", "EOF");
      ended.get(60, SECONDS);
    }
  }

  @Test
  void prestop_clientGivesUp_holdsUpNobody() throws Exception {
    try (RawClient http1 = server.connect();
        RawHttp2 http2 = new RawHttp2(server.port)) {
      http1.get(PRE_STOP);
      http2.get(1, PRE_STOP);
      await().until(() -> shutdown.preStops.get() == 2);
      http2.reset(1);
    }
    server.leave();
    drain().get(60, SECONDS);
    shutdown.propagated.complete(null);
    assertEquals(0, server.inFlight());
  }
}
