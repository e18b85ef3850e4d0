package io.lastcall.subjects.vertx;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ForkedExample;
import io.lastcall.testing.KeepAliveClient;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawHttp2;
import io.lastcall.testing.WebSocketClient;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What no contract of the Netty adapter's tests of Vert.x, and with -Pall the subject's own paths.
 */
@Timeout(120)
class VertxSubjectTest {
  private static final int CLIENTS = 8;

  @Test
  void sigterm_keepAliveLoad_losesNothing() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    // Clients are never idle for the quarter of it that idle connections are closed in.
    try (ForkedExample example = new ForkedExample(VertxSubject.class, "4s", Map.of())) {
      AtomicInteger answered = new AtomicInteger();
      List<java.util.concurrent.Future<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(threads.submit(new KeepAliveClient(example.port(), answered)));
      }
      await().atMost(Duration.ofSeconds(60)).until(() -> answered.get() > 10 * CLIENTS);
      example.sigterm();
      for (java.util.concurrent.Future<Integer> client : clients) {
        assertTrue(client.get() > 1);
      }
      example.assertEndsClean();
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  @Tag("all")
  void clientThatWaitsToBeAskedForItsBody_isAsked() throws Exception {
    try (ForkedExample example = new ForkedExample(VertxSubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      client.send(
          "POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n");
      assertEquals(100, client.readHead().status());
      client.send("body");
      assertEquals("4", client.read().body());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  /** Unanswered, it would hold the shutdown. */
  @ParameterizedTest
  @Tag("all")
  @ValueSource(strings = {"/work?ms=soon", "/stream?ms=1&a=%zz"})
  void request_malformedQuery_isRefusedAndTheConnectionGoesOn(String path) throws Exception {
    try (ForkedExample example = new ForkedExample(VertxSubject.class, "0s", Map.of());
        RawClient client = new RawClient(example.port())) {
      assertEquals(400, client.exchange(path).status());
      assertEquals("fast\n", client.exchange("/fast").body());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  @Tag("all")
  void upload_largerThanTheHeap_isCounted() throws Exception {
    Map<String, String> smallHeap = Map.of("JAVA_TOOL_OPTIONS", "-Xmx32m");
    try (ForkedExample example = new ForkedExample(VertxSubject.class, "0s", smallHeap);
        RawClient client = new RawClient(example.port())) {
      String piece = "b".repeat(1_000_000);
      client.send("POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 64000000\r\n\r\n");
      for (int i = 0; i < 64; i++) {
        client.send(piece);
      }
      assertEquals("64000000", client.read().body());
      example.sigterm();
      example.assertEndsClean();
    }
  }

  @Test
  @Tag("all")
  void sigterm_webSocketIsOpen_isToldToGoAway() throws Exception {
    try (ForkedExample example = new ForkedExample(VertxSubject.class, "0s", Map.of())) {
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
    Vertx vertx = Vertx.vertx();
    // Vert.x closes a client that nobody refers to any more.
    HttpClientAgent client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2ClearTextUpgrade(false));
    try (ForkedExample example =
        new ForkedExample(VertxSubject.class, "0s", Map.of("HTTP2", "true"))) {
      AtomicInteger received = new AtomicInteger();
      HttpClientRequest request =
          client
              .request(HttpMethod.GET, example.port(), "127.0.0.1", "/stream?ms=2000")
              .await(60, SECONDS);
      Future<Void> end =
          request
              .send()
              .compose(
                  response -> response.handler(piece -> received.addAndGet(piece.length())).end());
      await().atMost(Duration.ofSeconds(60)).until(() -> received.get() > 0);
      example.sigterm();
      end.await(60, SECONDS);
      assertEquals(2_000, received.get());
      example.assertEndsClean();
    } finally {
      client.close().otherwiseEmpty().await(60, SECONDS);
      vertx.close().otherwiseEmpty().await(60, SECONDS);
    }
  }

  /** Nothing counts the stream: it was cut, and the end was called clean. */
  @Test
  void sigterm_streamInFlightOfTheDefaultHttp2_isCutAndTheEndIncomplete() throws Exception {
    try (ForkedExample example =
            new ForkedExample(VertxSubject.class, "0s", Map.of("HTTP2", "default"));
        RawClient counted = new RawClient(example.port());
        RawHttp2 client = new RawHttp2(example.port())) {
      assertEquals(200, counted.exchange("/fast").status());
      client.get(1, "/stream?ms=100000");
      client.await(RawHttp2.DATA);
      example.sigterm();
      example.assertEnds(80, "requests that no handler of Lastcall counts may have been cut");
    }
  }

  /** A probe of the port, and connections of both versions that have had their answers. */
  @Test
  void sigterm_defaultHttp2WithoutAStream_isClean() throws Exception {
    try (ForkedExample example =
            new ForkedExample(VertxSubject.class, "0s", Map.of("HTTP2", "default"));
        RawClient silent = new RawClient(example.port());
        RawClient counted = new RawClient(example.port());
        RawHttp2 client = new RawHttp2(example.port())) {
      assertEquals(200, counted.exchange("/fast").status());
      client.get(1, "/fast");
      client.await(RawHttp2.DATA);
      client.ping();
      client.await(RawHttp2.PING);
      example.sigterm();
      example.assertEndsClean();
      assertTrue(silent.ended());
    }
  }
}
