package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawHttp2Client;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Connection;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On a connection of HTTP/2 that is to end, an event stream ends before an ordinary one does. */
@Timeout(120)
class JettyEventStreamEndTest {
  private static final int EVENTS = 1;
  private static final int ORDINARY = 3;

  /** RFC 9113, section 6.4. */
  private static final int RST_STREAM = 3;

  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private final JettyFixture jetty = JettyFixture.clearText();
  private RawHttp2Client client;

  @BeforeEach
  void start() throws Exception {
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    jetty.serve("/async", (request, response) -> started.add(request.startAsync()));
    jetty.serveEvents("/sse", started);
    jetty.start();
    client = new RawHttp2Client(jetty.port());
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    jetty.close();
  }

  @Test
  void drain_endedByTheApplication_otherIsOwedItsAnswer() throws Exception {
    AsyncContext events = open(EVENTS, "/sse");
    client.next(RawHttp2Client.HEADERS);
    AsyncContext ordinary = open(ORDINARY, "/async");
    CompletableFuture<?> ended = drainAcknowledged();
    events.complete();
    assertTrue(client.next(RawHttp2Client.DATA).endsStream());
    await().until(() -> !endPoint().isLongLived(String.valueOf(EVENTS)));
    assertAnswered(ordinary, ended);
  }

  @Test
  void drain_resetAndStillWithTheApplication_otherIsOwedItsAnswer() throws Exception {
    AsyncContext events = open(EVENTS, "/sse");
    client.next(RawHttp2Client.HEADERS);
    AsyncContext ordinary = open(ORDINARY, "/async");
    CompletableFuture<?> ended = drainAcknowledged();
    Stream stream = ((HTTP2Connection) endPoint().getConnection()).getSession().getStream(EVENTS);
    ResetFrame reset = new ResetFrame(EVENTS, ErrorCode.CANCEL_STREAM_ERROR.code);
    Callback.Completable.with(written -> stream.reset(reset, written)).get();
    client.next(RST_STREAM);
    assertAnswered(ordinary, ended);
    events.complete();
  }

  private AsyncContext open(int stream, String path) throws Exception {
    client.get(stream, path);
    return started.take();
  }

  private DrainingEndPoint endPoint() {
    return jetty.connector.endPoints().iterator().next();
  }

  /** What the server has answered behind the acknowledgement says that it has read that. */
  private CompletableFuture<?> drainAcknowledged() throws Exception {
    CompletableFuture<?> ended = jetty.drain();
    client.next(RawHttp2Client.GOAWAY);
    client.ack(client.next(RawHttp2Client.PING));
    client.get(5, "/plain");
    assertEquals(5, client.response(5));
    assertFalse(ended.isDone());
    return ended;
  }

  private void assertAnswered(AsyncContext ordinary, CompletableFuture<?> ended) throws Exception {
    assertFalse(ended.isDone());
    ordinary.getResponse().getWriter().print("later");
    ordinary.complete();
    assertEquals(5, client.response(ORDINARY));
    assertEquals(5, client.next(RawHttp2Client.GOAWAY).lastStream());
    assertTrue(client.ended());
    ended.get();
  }
}
