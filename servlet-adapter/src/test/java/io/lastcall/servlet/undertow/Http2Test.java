package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawHttp2.Frame;
import io.undertow.UndertowOptions;
import jakarta.servlet.AsyncContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.OptionMap;

/** HTTP/2 with prior knowledge, frame by frame. */
@Timeout(30)
class Http2Test {
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = new UndertowFixture(OptionMap.create(UndertowOptions.ENABLE_HTTP2, true), 8);
    undertow.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    undertow.serve("/async", (request, response) -> started.add(request.startAsync()));
    undertow.serveEvents("/sse", started);
    undertow.start();
  }

  @AfterEach
  void stop() {
    undertow.close();
  }

  private RawHttp2Client connect() throws Exception {
    return RawHttp2Client.inParts(undertow.port());
  }

  /** Reads the first GOAWAY and the PING behind it. */
  private static Frame awaitAnnouncement(RawHttp2Client client) throws Exception {
    Frame goaway = client.await(RawHttp2Client.GOAWAY);
    assertEquals(Integer.MAX_VALUE, goaway.lastStream(), "refuses no stream");
    assertEquals(0, goaway.errorCode(), "no error");
    Frame ping = client.await(RawHttp2Client.PING);
    assertEquals(0, ping.flags());
    return ping;
  }

  @Test
  void http1_onTheSamePort_isServed() throws Exception {
    try (RawClient client = undertow.client()) {
      client.send("GET /pla").send("in HTTP/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      undertow.drain().get();
      assertTrue(client.ended());
    }
  }

  @Test
  void upgradeH2c_fromTheJdksClient_isServedByHttp1() throws Exception {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    URI uri = URI.create("http://localhost:" + undertow.port() + "/plain");
    HttpResponse<String> response =
        client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    assertEquals(HttpClient.Version.HTTP_1_1, response.version());
    assertEquals("plain", response.body());
  }

  @Test
  void firstBytes_aPartOfThePreface_isNotIdle() throws Exception {
    try (RawClient client = undertow.client()) {
      client.send("PRI * ");
      undertow.awaitConnections(1);
      CompletableFuture<?> ended = undertow.drain();
      undertow.tellOnceMore();
      assertFalse(ended.isDone());
    }
  }

  @Test
  void noBytes_untilUndertowsTimeout_isClosed() throws Exception {
    undertow.close();
    undertow =
        new UndertowFixture(
                OptionMap.create(
                    UndertowOptions.ENABLE_HTTP2, true, UndertowOptions.NO_REQUEST_TIMEOUT, 1),
                8)
            .start();
    try (RawClient client = undertow.client()) {
      assertTrue(client.ended());
    }
  }

  /** Behind the first bytes it has nothing to say any more. */
  @Test
  void noRequestTimeout_requestTakesLonger_isAnswered() throws Exception {
    undertow.close();
    undertow =
        new UndertowFixture(
            OptionMap.create(
                UndertowOptions.ENABLE_HTTP2, true, UndertowOptions.NO_REQUEST_TIMEOUT, 50),
            8);
    undertow.serve("/async", (request, response) -> started.add(request.startAsync()));
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      undertow.passOnIoThreads(50);
      context.getResponse().getWriter().print("later");
      context.complete();
      assertEquals("later", client.read().body());
    }
  }

  @Test
  void announce_streamRunning_waitsForItsEnd() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      undertow.leave();
      undertow.server.connections().forEach(HttpConnection::announceClose);
      context.getResponse().getWriter().print("x".repeat(1000));
      context.complete();
      // Read in the order of the frames: a GOAWAY before the body would be passed over.
      assertEquals(1000, client.body(1).length());
      awaitAnnouncement(client);
    }
  }

  @Test
  void announce_againWithAStreamRunning_waitsNoLonger() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      undertow.leave();
      undertow.server.connections().forEach(HttpConnection::announceClose);
      undertow.server.connections().forEach(HttpConnection::closeIfIdle);
      client.ack(awaitAnnouncement(client));
      context.getResponse().getWriter().print("x".repeat(1000));
      context.complete();
      assertEquals(1000, client.body(1).length());
    }
  }

  @Test
  void goaway_ofAClientThatWasAskedToLeave_cutsNoStream() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = undertow.drain();
      undertow.tellOnceMore();
      Frame ping = awaitAnnouncement(client);
      client.goAway().awaitSeen();
      client.ack(ping);
      context.getResponse().getWriter().print("x".repeat(1000));
      context.complete();
      assertEquals(1000, client.body(1).length());
      assertTrue(client.endsAtLast());
      ended.get();
    }
  }

  @Test
  void announce_eventStreamOpen_isSaidAllTheSame() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/sse").await(RawHttp2Client.HEADERS);
      undertow.awaitCounted(1);
      undertow.leave();
      undertow.server.connections().forEach(HttpConnection::announceClose);
      client.ack(awaitAnnouncement(client));
      assertEquals("plain", client.get(3, "/plain").body(3), "served while the server serves");
    }
  }

  @Test
  void announce_becomesAnEventStreamLater_isSaidThen() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      undertow.leave();
      undertow.server.connections().forEach(HttpConnection::announceClose);
      // Behind which the announcement has found the request active.
      undertow.server.stopListening(UndertowFixture.limit());
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      awaitAnnouncement(client);
    }
  }

  @Test
  void announce_idleConnection_saysGoawayAndServesOn() throws Exception {
    try (RawHttp2Client client = connect()) {
      assertEquals("plain", client.get(1, "/plain").body(1));
      undertow.leave();
      undertow.server.connections().forEach(HttpConnection::announceClose);
      Frame ping = awaitAnnouncement(client);
      assertEquals("plain", client.get(3, "/plain").body(3), "on its way when GOAWAY came");
      client.ack(ping);
      client.awaitSeen();
      undertow.tellOnceMore();
      assertEquals("plain", client.get(5, "/plain").body(5), "served while the server serves");
      undertow.awaitCounted(3);
    }
  }

  @Test
  void drain_idleConnection_endsByFinBehindThePingsAnswer() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/plain").body(1);
      CompletableFuture<?> ended = undertow.drain();
      Frame ping = awaitAnnouncement(client);
      assertFalse(ended.isDone(), "a stream may be on its way");
      assertEquals("plain", client.get(3, "/plain").body(3));
      client.ack(ping);
      assertTrue(client.endsAtLast());
      ended.get();
      client.get(5, "/plain");
      assertTrue(client.endsAtLast(), "by a FIN, not by a reset");
    }
    undertow.awaitConnections(0);
    assertEquals(2, undertow.control.started());
  }

  @Test
  void drain_streamsRunning_areAnsweredFirst() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/async").get(3, "/async");
      AsyncContext one = started.take();
      AsyncContext two = started.take();
      CompletableFuture<?> ended = undertow.drain();
      client.ack(awaitAnnouncement(client));
      one.getResponse().getWriter().print("first");
      one.complete();
      two.getResponse().getWriter().print("x".repeat(50_000));
      undertow.awaitInFlight(1);
      assertFalse(ended.isDone());
      two.complete();
      assertTrue(client.endsAtLast());
      ended.get();
      undertow.awaitCounted(2);
    }
  }

  @Test
  void drain_clientDoesNotAnswerThePing_waits() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/plain").body(1);
      CompletableFuture<?> ended = undertow.drain();
      awaitAnnouncement(client);
      client.acknowledgeAnother();
      assertEquals("plain", client.get(3, "/plain").body(3));
      undertow.tellOnceMore();
      assertFalse(ended.isDone());
    }
  }

  @Test
  void drain_eventStream_isNotWaitedFor() throws Exception {
    try (RawHttp2Client client = connect()) {
      client.get(1, "/sse");
      undertow.awaitCounted(1);
      CompletableFuture<?> ended = undertow.drain();
      Frame ping = awaitAnnouncement(client);
      assertFalse(ended.isDone(), "another stream may be on its way");
      client.ack(ping);
      ended.get();
      started.take().complete();
      assertTrue(client.endsAtLast());
    }
  }

  @Test
  void response_leaving_carriesNoConnectionHeader() throws Exception {
    undertow.leave();
    try (RawHttp2Client client = connect()) {
      Frame head = client.get(1, "/plain").await(RawHttp2Client.HEADERS);
      assertFalse(StandardCharsets.ISO_8859_1.decode(head.payload()).toString().contains("close"));
    }
  }
}
