package io.lastcall.subjects.reactor;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ForkedExample;
import io.lastcall.testing.KeepAliveClient;
import io.lastcall.testing.WebSocketClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.netty.http.HttpProtocol;

@Tag("all")
@Timeout(120)
class ReactorSubjectTest {
  private static final int CLIENTS = 8;

  @Test
  void sigterm_keepAliveLoad_losesNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    // Clients are never idle for the quarter of it that idle connections are closed in.
    try (ForkedExample example = new ForkedExample(ReactorSubject.class, "4s", Map.of())) {
      AtomicInteger answered = new AtomicInteger();
      List<Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(new KeepAliveClient(example.port(), answered)));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> answered.get() > 10 * CLIENTS);
      example.sigterm();
      for (Future<Integer> client : clients) {
        assertTrue(client.get() > 1);
      }
      example.assertEndsClean();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Were they not, they would be when idle connections are looked at: 45 s after the signal. */
  @Test
  void sigterm_pipelinedRequests_areAnsweredWithoutDelay() throws Exception {
    try (ForkedExample example =
        new ForkedExample(ReactorSubject.class, "60s", Map.of("LASTCALL_GRACE_PERIOD", "120s"))) {
      example.sigterm();
      KeepAliveClient.pipeline(example.port());
    }
  }

  @Test
  void sigterm_webSocketIsOpen_isToldToGoAway() throws Exception {
    try (ForkedExample example = new ForkedExample(ReactorSubject.class, "0s", Map.of())) {
      WebSocketClient client = new WebSocketClient(example.port());
      client.send("hello");
      assertEquals("hello", client.texts.poll(60, SECONDS));
      example.sigterm();
      assertEquals(1001, client.closed.get(60, SECONDS));
      example.assertEndsClean();
    }
  }

  /** With prior knowledge; the first GOAWAY comes while the response streams. */
  @Test
  void sigterm_http2StreamInFlight_isServedToItsEnd() throws Exception {
    try (ForkedExample example = new ForkedExample(ReactorSubject.class, "0s", Map.of())) {
      AtomicInteger received = new AtomicInteger();
      CompletableFuture<?> end =
          reactor.netty.http.client.HttpClient.newConnection()
              .protocol(HttpProtocol.H2C)
              .get()
              .uri("http://127.0.0.1:" + example.port() + "/stream?ms=2000")
              .response((head, body) -> body)
              .doOnNext(piece -> received.addAndGet(piece.readableBytes()))
              .then()
              .toFuture();
      await().atMost(Duration.ofSeconds(60)).until(() -> received.get() > 0);
      example.sigterm();
      end.get(60, SECONDS);
      assertEquals(2_000, received.get());
      example.assertEndsClean();
    }
  }
}
