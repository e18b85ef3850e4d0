package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawHttp2.Frame;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a connection of HTTP/2 ends, frame by frame. */
@Timeout(120)
class Http2GoawayTest {
  private static final int ANY_STREAM = Integer.MAX_VALUE;

  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture(http2Connector());
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve("/async", (request, response) -> started.add(request.startAsync()));
    tomcat.serveEvents("/sse", started);
    tomcat.start();
  }

  private static Connector http2Connector() {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    return connector;
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.close();
  }

  private CompletableFuture<?> drain() throws Exception {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  private void announceClose() {
    tomcat.leave();
    tomcat.server.connections().forEach(HttpConnection::announceClose);
  }

  /** On stream 1; known as one when this returns. */
  private void openEventStream(RawHttp2Client client) throws Exception {
    client.get(1, "/sse");
    client.next(RawHttp2Client.HEADERS);
    tomcat.awaitCounted(1);
  }

  /** Reads the first GOAWAY; returns the PING behind it. */
  private static Frame awaitAnnouncement(RawHttp2Client client) throws Exception {
    assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
    return client.next(RawHttp2Client.PING);
  }

  @Test
  void lastConnection_isThatOfAStreamOnANewOne() throws Exception {
    tomcat.control.observeArrivals();
    tomcat.leave();
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      client.get(1, "/plain");
      client.next(RawHttp2Client.HEADERS);
      assertTrue(tomcat.control.lastConnection().isPresent());
      assertEquals(1, tomcat.control.arrivals().connections());
    }
  }

  /** A pool may be full whenever a step is to be taken, the announcement or the end. */
  @Test
  void drain_poolTakesNoStep_isTriedAgain() throws Exception {
    TomcatFixture full = new TomcatFixture(http2Connector());
    full.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    AtomicBoolean isFull = new AtomicBoolean(true);
    ExecutorService threads = Executors.newCachedThreadPool();
    ((AbstractProtocol<?>) full.connector.getProtocolHandler())
        .setExecutor(
            task -> {
              // A step, whichever thread asks for it; nothing that Tomcat reads or answers by.
              if (isFull.get()
                  && task.getClass().getName().startsWith(DrainingHttp2Handler.class.getName())) {
                throw new RejectedExecutionException("full");
              }
              threads.execute(task);
            });
    full.start();
    try (RawHttp2Client client = new RawHttp2Client(full.port())) {
      full.leave();
      full.server.connections().forEach(HttpConnection::announceClose);
      isFull.set(false);
      full.server.connections().forEach(HttpConnection::announceClose);
      client.ack(awaitAnnouncement(client));
      client.get(1, "/plain");
      assertEquals(5, client.response(1), "so the acknowledgement was read");
      full.server.stopListening(TomcatFixture.limit());
      isFull.set(true);
      CompletableFuture<?> ended = full.endConnections();
      assertFalse(ended.isDone());
      isFull.set(false);
      full.server.connections().forEach(HttpConnection::closeIfIdle);
      assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(client.ended());
      ended.get();
    } finally {
      full.close();
      threads.shutdown();
    }
  }

  @Test
  void drain_answerToAnotherPing_isNotTheClientsWord() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      CompletableFuture<?> ended = drain();
      Frame ping = awaitAnnouncement(client);
      client.acknowledgeAnother();
      client.get(1, "/plain");
      assertEquals(5, client.response(1), "on its way when GOAWAY came");
      assertFalse(ended.isDone());
      client.ack(ping);
      assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void announce_eventStreamOpen_isSaidAllTheSame() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      openEventStream(client);
      announceClose();
      client.ack(awaitAnnouncement(client));
      client.get(3, "/plain");
      assertEquals(5, client.response(3), "served while the server serves");
    }
  }

  @Test
  void announce_becomesAnEventStreamLater_isSaidThen() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      announceClose();
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      // Beside the head of the stream's response: two threads write.
      assertEquals(ANY_STREAM, client.await(RawHttp2Client.GOAWAY).lastStream());
    }
  }

  @Test
  void announce_againWithAStreamActive_waitsNoLonger() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      announceClose();
      tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
      client.ack(awaitAnnouncement(client));
      context.getResponse().getWriter().print("async");
      context.complete();
      assertEquals(5, client.response(1));
    }
  }

  @Test
  void announce_framesArriveMeanwhile_waitsAllTheSame() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      announceClose();
      client.openWindow(0, 1000).awaitSeen();
      context.getResponse().getWriter().print("async");
      context.complete();
      // The response comes first, or this would find a GOAWAY.
      assertEquals(5, client.response(1));
      awaitAnnouncement(client);
    }
  }

  @Test
  void goaway_ofAClientThatWasAskedToLeave_cutsNoStream() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      client.get(1, "/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = drain();
      Frame ping = awaitAnnouncement(client);
      client.goAway().awaitSeen();
      client.ack(ping);
      context.getResponse().getWriter().print("async");
      context.complete();
      assertEquals(5, client.response(1));
      assertTrue(client.endsAtLast());
      ended.get();
    }
  }

  @Test
  void announce_eventStreamAndAnotherRequest_waitsForTheOther() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      openEventStream(client);
      client.get(3, "/async");
      AsyncContext events = started.take();
      AsyncContext other = started.take();
      announceClose();
      other.getResponse().getWriter().print("async");
      other.complete();
      // The response comes first, or this would find a GOAWAY.
      assertEquals(5, client.response(3));
      awaitAnnouncement(client);
      events.complete();
    }
  }

  @Test
  void drain_eventStreamOpen_isOwedNothingOnceGoawayIsAcknowledged() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      openEventStream(client);
      CompletableFuture<?> ended = drain();
      Frame ping = awaitAnnouncement(client);
      client.get(3, "/plain");
      assertEquals(5, client.response(3), "on its way when GOAWAY came");
      assertFalse(ended.isDone());
      client.ack(ping);
      ended.get();
      started.take().complete();
      assertTrue(client.next(RawHttp2Client.DATA).endsStream());
      assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(client.ended(), "idle behind its stream, it is closed");
    }
  }
}
