package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.HOURS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class Http1LeavingTest {
  private Harness http = new Harness();

  @AfterEach
  void close() {
    http.channel.finishAndReleaseAll();
    assertEquals(0, http.inFlight());
  }

  /** The application answers the oldest open request, and that is the end. */
  private void assertLastIs(String body) {
    http.respond(body);
    String last = http.received();
    assertTrue(last.contains("connection: close") && last.endsWith(body), last);
    assertFalse(http.channel.isOpen());
  }

  @Test
  void leaving_responseSaysCloseAndConnectionEnds() {
    http.get("/a");
    http.leave();
    assertLastIs("bye");
  }

  @Test
  void announceClose_applicationIsNotifiedOnce() {
    http.get("/a");
    http.leave();
    TrackedConnection.of(http.channel).announceClose();
    TrackedConnection.of(http.channel).announceClose();
    http.channel.runPendingTasks();

    assertEquals(List.of("GET /a", "event ConnectionLeaving[]"), http.seen);
    assertLastIs("1");
  }

  @Test
  void leaving_headAlreadySent_keepsConnectionForTheNextResponse() {
    http.get("/a");
    http.channel.writeOutbound(Harness.head("text/plain"));
    http.leave();
    http.channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertTrue(http.channel.isOpen());
    assertFalse(http.received().contains("close"));

    http.get("/b");
    assertLastIs("2");
  }

  @Test
  void leaving_pipelined_closeIsOnTheLast() {
    http.get("/a", "/b", "/c");
    http.leave();
    http.respond("1");
    http.respond("2");
    assertFalse(http.received().contains("connection: close"));

    assertLastIs("3");
  }

  @Test
  void leaving_pipelinedOnAndOn_closeIsOnTheLastReadByTheFirstResponse() {
    http.get("/a", "/b");
    http.leave();
    http.get("/c");
    http.respond("1");
    http.get("/d");
    http.respond("2");
    assertFalse(http.received().contains("connection: close"));

    assertLastIs("3");
    assertEquals(List.of("GET /a", "GET /b", "GET /c"), http.seen);
  }

  @Test
  void lastCall_halfClosedWithPartOfAHead_isNotWaitedFor() {
    http.get("/a");
    http.respond("1");
    http.send("GET /b HT");
    http.channel.pipeline().fireChannelReadComplete();
    http.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
    http.channel.pipeline().fireChannelReadComplete();
    http.leave();
    CompletableFuture<?> ended = ServerConnections.of(http.channel).endIdle().toCompletableFuture();
    http.channel.runPendingTasks();

    assertTrue(ended.isDone());
    assertFalse(http.channel.isOpen());
  }

  /** The codec makes a request of it. */
  @Test
  void leaving_closedWithPartOfAHead_isNoArrival() {
    http.leave();
    http.send("GET /a HTTP/1.1\r\nHost: a");
    http.channel.close();

    assertEquals(Optional.empty(), http.control.lastArrival());
    assertEquals(List.of(), http.seen);
  }

  @Test
  void refusing_closedWithPartOfAHead_refusesNobody() {
    http.leave();
    http.control.refuse();
    http.send("GET /a HTTP/1.1\r\nHost: a");
    http.channel.close();

    assertEquals(0, http.control.refused());
  }

  /** RFC 9112, section 9.6: the client may send the second one again. */
  @Test
  void leaving_pipelinedBehindAResponseThatSaysClose_isDroppedUncounted() {
    http = new Harness(new AnswersAtOnce(ctx -> {}));
    http.leave();
    http.get("/a", "/b");

    String received = http.received();
    assertTrue(received.contains("connection: close") && received.endsWith("/a"), received);
    assertEquals(1, http.control.started());
    assertFalse(http.channel.isOpen());
  }

  @Test
  void leaving_channelClosedRightBehindTheResponse_isSentFirst() {
    http = new Harness(new AnswersAtOnce(ChannelHandlerContext::close));
    http.leave();
    http.get("/a");

    assertTrue(http.received().endsWith("/a"));
    assertFalse(http.channel.isOpen());
  }

  @Test
  void leaving_channelDisconnectedRightBehindTheResponse_isSentFirst() {
    http = new Harness(new AnswersAtOnce(ChannelHandlerContext::disconnect));
    http.leave();
    http.get("/a");

    assertTrue(http.received().endsWith("/a"));
    assertFalse(http.channel.isOpen());
  }

  @Test
  void leaving_requestBehindTheClosingHead_isDroppedUncounted() {
    http.get("/a");
    http.leave();
    http.channel.writeOutbound(Harness.head("text/plain"));
    http.get("/b");

    assertEquals(1, http.inFlight());
    assertEquals(List.of("GET /a"), http.seen);
  }

  @Test
  void leaving_readOnlyHeaders_areCopied() {
    http.get("/a");
    http.leave();
    http.channel.writeOutbound(
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.OK,
            Unpooled.copiedBuffer("x", StandardCharsets.UTF_8),
            new ReadOnlyHttpHeaders(false, "content-length", "1"),
            new ReadOnlyHttpHeaders(false)));

    assertTrue(http.received().contains("connection: close"));
  }

  @Test
  void http10_leaving_saysCloseAndEnds() {
    http.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    http.leave();
    http.respond("x");

    assertTrue(http.received().contains("connection: close"));
    assertFalse(http.channel.isOpen());
  }

  @Test
  void upload_stillArriving_reachesTheApplicationBehindAClosingHead() {
    http = new Harness(new HttpObjectAggregator(100));
    http.leave();
    http.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");
    assertEquals(List.of(), http.seen);
    http.send("cd");

    assertEquals(List.of("POST /a"), http.seen);
    http.respond("ok");
    assertFalse(http.channel.isOpen());
  }

  /** The body stays away behind the aggregator's 413, and the connection is kept. */
  @Test
  void expectationFailed_connectionIsIdle() {
    http = new Harness(new HttpObjectAggregator(10), new IgnoresPrematureClosure());
    http.send("POST /a HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 100\r\n\r\n");
    assertTrue(http.received().startsWith("HTTP/1.1 413 "));
    http.leave();
    CompletableFuture<?> ended = ServerConnections.of(http.channel).endIdle().toCompletableFuture();
    http.channel.runPendingTasks();

    assertTrue(ended.isDone());
    assertFalse(http.channel.isOpen());
  }

  @Test
  void closeIfIdle_withoutTls_patienceIsFromTheAcceptOn() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec());
    TrackedConnection accepted = accepted(channel, Duration.ZERO);
    ServerConnections.of(channel).setPatience(Duration.ofHours(1));
    channel.pipeline().addLast(http.drain.httpHandler());
    accepted.closeIfIdle();
    channel.runPendingTasks();

    assertFalse(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  /** What has been waited for is the end of the one before: time runs ahead in the channel only. */
  @Test
  void closeIfIdle_patienceBeginsAnewMeanwhile_isWaitedForToo() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec());
    TrackedConnection accepted = accepted(channel, Duration.ofHours(1));
    channel.pipeline().addLast(http.drain.httpHandler());
    channel.freezeTime();
    accepted.closeIfIdle();
    channel.runPendingTasks();
    accepted.handshakeDone();
    channel.advanceTimeBy(1, HOURS);
    channel.runPendingTasks();

    assertTrue(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  private static TrackedConnection accepted(EmbeddedChannel channel, Duration patience) {
    ServerConnections.of(channel).setPatience(patience);
    return TrackedConnection.of(channel);
  }

  @Test
  void refused_getsALate503() {
    http.leave();
    http.control.refuse();
    http.get("/a");

    String received = http.received();
    assertTrue(received.startsWith("HTTP/1.1 503 "), received);
    assertTrue(received.contains("Retry-After: 1\r\n"), received);
    assertTrue(received.contains("connection: close\r\n"), received);
    assertTrue(received.contains("content-length: 0\r\n"), received);
    assertEquals(List.of(), http.seen);
    assertEquals(1, http.control.refused());
    assertFalse(http.channel.isOpen());
  }

  @Test
  void refused_behindAnAdmittedOne_waitsForItsTurn() {
    http.get("/a");
    http.leave();
    http.control.refuse();
    http.get("/b", "/c");
    assertEquals("", http.received());

    http.respond("1");
    String received = http.received();
    assertTrue(received.startsWith("HTTP/1.1 200 "), received);
    assertTrue(received.indexOf("HTTP/1.1 503 ") > 0, received);
    assertEquals(List.of("GET /a"), http.seen);
    assertEquals(1, http.control.refused());
  }

  private static final class AnswersAtOnce extends SimpleChannelInboundHandler<HttpRequest> {
    private final Consumer<ChannelHandlerContext> then;

    AnswersAtOnce(Consumer<ChannelHandlerContext> then) {
      this.then = then;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpRequest request) {
      ctx.writeAndFlush(Harness.ok(request.uri()));
      then.accept(ctx);
    }
  }

  /** The aggregator still misses the body. */
  private static final class IgnoresPrematureClosure extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      assertInstanceOf(PrematureChannelClosureException.class, cause);
    }
  }
}
