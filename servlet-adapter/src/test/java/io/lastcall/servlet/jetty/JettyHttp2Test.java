package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawHttp2.Frame;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** HTTP/2 in clear text: frame by frame, and with the JDK's client. */
@Timeout(120)
class JettyHttp2Test {
  private static final int ANY_STREAM = Integer.MAX_VALUE;
  private static final int ENABLE_CONNECT_PROTOCOL = 8;

  private final CountDownLatch entered = new CountDownLatch(20);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private final HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
  private final JettyFixture jetty = JettyFixture.clearText();

  @BeforeEach
  void start() throws Exception {
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    jetty.serve("/hold", this::hold);
    jetty.serve("/async", (request, response) -> started.add(request.startAsync()));
    jetty.serveEvents("/sse", started);
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    jetty.close();
  }

  private void hold(HttpServletRequest request, HttpServletResponse response) throws IOException {
    entered.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    response.getOutputStream().write(new byte[10_000]);
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + jetty.port() + path)).build();
  }

  private HttpResponse<String> exchange(String path) throws Exception {
    return client.send(get(path), BodyHandlers.ofString());
  }

  @Test
  void drain_idleConnection_getsBothGoawaysAndAFin() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/plain");
      assertEquals(5, raw.response(1));
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      Frame ping = raw.next(RawHttp2Client.PING);
      assertFalse(ended.isDone(), "a stream may be on its way");
      raw.ack(ping);
      assertEquals(1, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended());
      ended.get();
    }
    await().until(() -> jetty.server.connections().isEmpty());
  }

  @Test
  void drain_streamCrossesTheFirstGoaway_isAnswered() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      CompletableFuture<?> ended = jetty.drain();
      raw.get(1, "/plain");
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      Frame ping = raw.next(RawHttp2Client.PING);
      assertEquals(5, raw.response(1));
      raw.ack(ping);
      assertEquals(1, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended());
      ended.get();
    }
  }

  @Test
  void drain_streamActive_isAnsweredBeforeTheLastGoaway() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/hold");
      await().until(() -> jetty.inFlight() == 1);
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      raw.ack(raw.next(RawHttp2Client.PING));
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals(10_000, raw.response(1));
      assertEquals(1, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended());
      ended.get();
    }
  }

  /** Jetty answers such a request before it has told the stream who listens to its end. */
  @Test
  void drain_upgradedFromHttp1_endsToo() throws Exception {
    try (RawHttp2Client raw = RawHttp2Client.upgraded(jetty.port(), "/plain")) {
      assertEquals(5, raw.response(1));
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      raw.ack(raw.next(RawHttp2Client.PING));
      assertEquals(1, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended());
      ended.get();
    }
  }

  /** Why its own graceful shutdown is not used: what crosses it is lost. */
  @Test
  void jettysOwnShutdown_idleConnection_refusesWithoutAskingWhatIsOnItsWay() throws Exception {
    // No stream before: Jetty may still be closing it when its response has come.
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      DrainingEndPoint endPoint = jetty.connector.endPoints().iterator().next();
      CompletableFuture<Void> shutDown =
          ((HTTP2Connection) endPoint.getConnection()).getSession().shutdown();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertEquals(0, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertFalse(shutDown.isDone(), "it waits for the client");
    }
  }

  private void announceClose() {
    jetty.leave();
    jetty.server.connections().forEach(HttpConnection::announceClose);
  }

  /** On stream 1; known as one when this returns. */
  private void openEventStream(RawHttp2Client raw) throws Exception {
    raw.get(1, "/sse");
    raw.next(RawHttp2Client.HEADERS);
    jetty.awaitCounted(1);
  }

  @Test
  void announce_stillServing_goesOnServingUntilTheDrain() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/plain");
      assertEquals(5, raw.response(1));
      announceClose();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      raw.ack(raw.next(RawHttp2Client.PING));
      jetty.server.connections().forEach(HttpConnection::closeIfIdle);
      raw.get(3, "/plain");
      assertEquals(5, raw.response(3));
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(3, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended());
      ended.get();
    }
  }

  @Test
  void announce_streamActive_waitsForItsEnd() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/hold");
      await().until(() -> jetty.inFlight() == 1);
      announceClose();
      goOn.countDown();
      // The response comes first, or this would find a GOAWAY.
      assertEquals(10_000, raw.response(1));
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
    }
  }

  @Test
  void announce_againWithAStreamActive_waitsNoLonger() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/hold");
      await().until(() -> jetty.inFlight() == 1);
      announceClose();
      jetty.server.connections().forEach(HttpConnection::closeIfIdle);
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      raw.ack(raw.next(RawHttp2Client.PING));
      goOn.countDown();
      assertEquals(10_000, raw.response(1));
    }
  }

  @Test
  void announce_eventStreamOpen_isSaidAllTheSame() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      openEventStream(raw);
      announceClose();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      raw.ack(raw.next(RawHttp2Client.PING));
      raw.get(3, "/plain");
      assertEquals(5, raw.response(3), "served while the server serves");
    }
  }

  @Test
  void announce_becomesAnEventStreamLater_isSaidThen() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      raw.get(1, "/async");
      AsyncContext context = started.take();
      announceClose();
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      assertEquals(ANY_STREAM, raw.await(RawHttp2Client.GOAWAY).lastStream());
    }
  }

  @Test
  void drain_eventStreamOpen_isOwedNothingOnceGoawayIsAcknowledged() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      openEventStream(raw);
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(ANY_STREAM, raw.next(RawHttp2Client.GOAWAY).lastStream());
      Frame ping = raw.next(RawHttp2Client.PING);
      raw.get(3, "/plain");
      assertEquals(5, raw.response(3), "on its way when GOAWAY came");
      assertFalse(ended.isDone());
      raw.ack(ping);
      ended.get();
      started.take().complete();
      assertTrue(raw.next(RawHttp2Client.DATA).endsStream());
      assertEquals(3, raw.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(raw.ended(), "idle behind its stream, it is closed");
    }
  }

  /** Its requests would be WebSockets that nobody sees open and end (RFC 8441, section 3). */
  @Test
  void settings_enableConnectProtocol_isNotOffered() throws Exception {
    try (RawHttp2Client raw = new RawHttp2Client(jetty.port())) {
      assertEquals(0, raw.setting(ENABLE_CONNECT_PROTOCOL));
    }
  }

  @Test
  void response_leaving_carriesNoConnectionHeader() throws Exception {
    exchange("/plain");
    jetty.leave();
    HttpResponse<String> response = exchange("/plain");
    assertEquals(Version.HTTP_2, response.version());
    assertEquals("plain", response.body());
    assertTrue(response.headers().firstValue("connection").isEmpty());
  }

  @Test
  void drain_jdkClientIdle_endsByItsClose() throws Exception {
    assertEquals(Version.HTTP_2, exchange("/plain").version());
    jetty.drain().get();
    await().until(() -> jetty.server.connections().isEmpty());
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = "JDK-8335181: the client gives them up")
  void drain_jdkClientWithStreamsInFlight_areAllAnswered() throws Exception {
    exchange("/plain");
    List<CompletableFuture<HttpResponse<byte[]>>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(client.sendAsync(get("/hold"), BodyHandlers.ofByteArray()));
    }
    entered.await();
    CompletableFuture<?> ended = jetty.drain();
    assertFalse(ended.isDone());
    goOn.countDown();
    for (CompletableFuture<HttpResponse<byte[]>> call : calls) {
      assertEquals(10_000, call.get().body().length);
    }
    ended.get();
    jetty.awaitCounted(21);
  }
}
