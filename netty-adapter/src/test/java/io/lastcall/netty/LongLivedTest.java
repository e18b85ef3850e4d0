package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.connection.ToldToClose;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.WebSocketClient;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
@ParameterizedClass
@EnumSource
final class LongLivedTest {
  private final Transport transport;

  private TestServer server;

  LongLivedTest(Transport transport) {
    transport.assumeAvailable();
    this.transport = transport;
  }

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(transport, null);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    assertEquals(0, server.inFlight());
    assertEquals(0, server.connections.connections().open());
  }

  @Test
  void webSocket_isNotInFlightAndEndsWith1001() throws Exception {
    WebSocketClient client = new WebSocketClient(server.port);
    client.send("hello");
    assertEquals("hello", client.texts.poll(60, SECONDS));
    assertEquals(0, server.inFlight());
    assertEquals(1, server.connections.connections().open());
    assertTrue(server.server.connections().isEmpty());

    server.leave();
    assertTrue(server.connections.closeAll(Duration.ZERO, TestServer.soon()));
    assertEquals(1001, client.closed.get(60, SECONDS));
    assertEquals(Map.of("websocket", 1L), server.connections.ended());
  }

  @Test
  void webSocket_openedWhileClosing_isToldAtOnce() throws Exception {
    server.leave();
    server.connections.closeAll(Duration.ZERO, TestServer.soon());
    WebSocketClient client = new WebSocketClient(server.port);

    assertEquals(1001, client.closed.get(60, SECONDS));
    await().until(() -> server.connections.connections().open() == 0);
  }

  @Test
  void webSocket_endThatNoFrameCanCarry_isRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> server.drain.webSocketEnd(WebSocketCloseStatus.ABNORMAL_CLOSURE));
    // Netty's own status for a frame without a code, and one that it lets pass.
    for (int code : new int[] {-1, 5000}) {
      assertThrows(
          IllegalArgumentException.class,
          () -> server.drain.webSocketEnd(new WebSocketCloseStatus(code, "")));
    }
    String tooLong = "\u00e4".repeat(62); // two bytes each
    assertThrows(
        IllegalArgumentException.class,
        () -> server.drain.webSocketEnd(new WebSocketCloseStatus(4000, tooLong)));
  }

  @Test
  void webSocket_anotherEndConfigured_isToldThat() {
    EmbeddedChannel channel =
        toldToEnd(server.drain.webSocketEnd(WebSocketCloseStatus.SERVICE_RESTART).httpHandler());
    assertTold(1012, channel.readOutbound());
    channel.finishAndReleaseAll();
  }

  /** RFC 6455, section 5.2: a final frame of opcode 8, unmasked, shorter than 126 bytes. */
  private static void assertTold(int code, ByteBuf frame) {
    assertEquals(0x88, frame.readUnsignedByte());
    assertEquals(frame.readUnsignedByte(), frame.readableBytes());
    assertEquals(code, frame.readUnsignedShort());
    frame.release();
  }

  /** As Ktor does, behind us. */
  @Test
  void webSocket_applicationEncodesItsOwnFrames_isToldBetweenThem() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new HttpServerCodec(), server.drain.httpHandler());
    upgrade(channel);
    ByteBuf before = Unpooled.wrappedBuffer(new byte[] {(byte) 0x81, 1, 'a'});
    channel.writeOutbound(before);
    assertSame(before, channel.readOutbound());
    before.release();
    closeAll(channel);
    assertTold(1001, channel.readOutbound());
    assertTrue(channel.isOpen(), "the client's answer is awaited");
    channel.finishAndReleaseAll();
  }

  @Test
  void webSocket_toldToEnd_applicationMayWriteItsLastFrameBefore() {
    EmbeddedChannel channel =
        new EmbeddedChannel(new HttpServerCodec(), server.drain.httpHandler(), new LastWord());
    upgrade(channel);
    closeAll(channel);
    assertEquals("last", channel.<TextWebSocketFrame>readOutbound().text());
    assertTold(1001, channel.readOutbound());
    channel.finishAndReleaseAll();
  }

  private static final class LastWord extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof LeavingEvent.ConnectionLeaving) {
        ctx.writeAndFlush(new TextWebSocketFrame("last"));
      }
    }
  }

  /** A framework may close the connection where a write fails, on our close frame. */
  @Test
  void webSocket_frameBehindItsEnd_isIgnoredWithoutAFailure() {
    EmbeddedChannel channel = toldToEnd(server.drain.httpHandler());
    TextWebSocketFrame late = new TextWebSocketFrame("late");
    assertTrue(channel.writeOneOutbound(late).isSuccess());
    assertEquals(0, late.refCnt());
    ReferenceCountUtil.release(channel.readOutbound());
    assertNull(channel.readOutbound());
    channel.finishAndReleaseAll();
  }

  private EmbeddedChannel toldToEnd(ChannelHandler handler) {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec(), handler);
    upgrade(channel);
    closeAll(channel);
    return channel;
  }

  private static void upgrade(EmbeddedChannel channel) {
    channel.writeInbound(Unpooled.copiedBuffer("GET /ws HTTP/1.1\r\n\r\n", US_ASCII));
    FullHttpResponse upgrade =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    upgrade.headers().set("Upgrade", "websocket");
    channel.writeOutbound(upgrade);
    ReferenceCountUtil.release(channel.readOutbound());
    channel.pipeline().remove(HttpServerCodec.class);
  }

  private void closeAll(EmbeddedChannel channel) {
    ToldToClose.all(server.connections);
    channel.runPendingTasks();
  }

  @Test
  void webSocket_closedByTheClient_isForgotten() throws Exception {
    new WebSocketClient(server.port).close();

    await().until(() -> server.connections.connections().open() == 0);
  }

  @Test
  void webSocket_manyToldAtOnce_allEnd() throws Exception {
    List<WebSocketClient> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      clients.add(new WebSocketClient(server.port));
    }

    assertTrue(server.connections.closeAll(Duration.ofMillis(50), TestServer.soon()));
    for (WebSocketClient client : clients) {
      assertEquals(1001, client.closed.get(60, SECONDS));
    }
    assertEquals(Map.of("websocket", 50L), server.connections.ended());
  }

  @Test
  void eventStream_isNotInFlightAndIsEnded() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/sse");
      client.until("data: 1");
      assertEquals(0, server.inFlight());

      server.leave();
      assertTrue(server.connections.closeAll(Duration.ZERO, TestServer.soon()));
      assertTrue(client.rest().endsWith("\r\n0\r\n\r\n"));
      assertEquals(Map.of("sse", 1L), server.connections.ended());
    }
  }

  /** Of the part the codec makes a request, when the connection is closed already. */
  @Test
  void sse_clientGoneBehindPartOfAHead_isOwedNothing() throws Exception {
    Channel connection;
    try (RawClient client = server.connect()) {
      server.awaitConnection();
      connection = ((TrackedConnection) server.server.connections().iterator().next()).channel();
      client.get("/sse").until("data: 1\n\n\r\n");
      client.send("GET /fast HTTP/1.1\r\nHo");
    }
    connection.closeFuture().sync();
    server.workers.submit(() -> {}).sync();
    assertTrue(server.server.connections().isEmpty());
  }

  @Test
  void eventStream_clientGone_isForgotten() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/sse");
      client.until("data: 1");
    }

    await().until(() -> server.connections.connections().open() == 0);
  }

  @Test
  void eventStream_openedWhileClosing_isEndedAtOnce() throws Exception {
    server.leave();
    server.connections.closeAll(Duration.ZERO, TestServer.soon());
    try (RawClient client = server.connect()) {
      client.get("/sse");

      String stream = client.rest();
      assertTrue(stream.contains("connection: close"), stream);
      assertTrue(stream.endsWith("0\r\n\r\n"), stream);
    }
  }

  @Test
  void eventStream_ending_firesTheEventAndDropsWhatComesBehind() {
    Harness http = new Harness();
    http.get("/sse");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();

    assertEquals("event StreamEnding[]", http.seen.get(1));
    assertTrue(http.received().endsWith("0\r\n\r\n"));
    assertFalse(http.channel.isOpen());
    assertEquals(0, http.connections.connections().open());
  }

  /** The answer of a chat: its client would not come back for the rest. */
  @Test
  void eventStream_inAnswerToPost_isInFlightToItsEnd() {
    Harness http = new Harness();
    http.send("POST /chat HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    assertEquals(1, http.inFlight());
    http.leave();
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();
    assertEquals(1, http.inFlight());
    http.received();
    http.channel.writeOutbound(data("data: last\n\n"), LastHttpContent.EMPTY_LAST_CONTENT);
    assertTrue(http.received().endsWith("data: last\n\n\r\n0\r\n\r\n"));
    assertEquals(0, http.inFlight());
  }

  @Test
  void eventStream_inAnswerToHead_hasNoEndAsThatOfGet() {
    Harness http = new Harness();
    http.send("HEAD /sse HTTP/1.1\r\nHost: a\r\n\r\n");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    assertEquals(0, http.inFlight());
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();
    assertEquals(0, http.connections.connections().open());
  }

  @Test
  void eventStream_inAnswerToGetAndMarkedFinite_isInFlightToItsEnd() {
    Harness http = new Harness();
    http.get("/chat");
    http.channel.writeOutbound(marked("text/event-stream", EndlessResponse.FINITE));
    assertEquals(1, http.inFlight());
    assertFalse(http.received().contains(EndlessResponse.HEADER), "the mark is ours");
    http.channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertEquals(0, http.inFlight());
  }

  @Test
  void streamOfAnotherType_markedEndless_isNotInFlightAndIsEnded() {
    Harness http = new Harness();
    http.send("POST /watch HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
    http.channel.writeOutbound(marked("application/x-ndjson", EndlessResponse.ENDLESS));
    assertEquals(0, http.inFlight());
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();
    assertTrue(http.received().endsWith("0\r\n\r\n"));
    assertEquals(Map.of("stream", 1L), http.connections.ended());
  }

  /** A header of that name is the library's, but an application may still misspell its value. */
  @Test
  void eventStream_markedWithAnotherWord_isWhatTheRuleSays() {
    Harness http = new Harness();
    http.get("/sse");
    http.channel.writeOutbound(marked("text/event-stream", "infinite"));
    assertEquals(0, http.inFlight());
    assertFalse(http.received().contains(EndlessResponse.HEADER));
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();
  }

  private static HttpResponse marked(String type, String mark) {
    HttpResponse head = Harness.head(type);
    head.headers().set(EndlessResponse.HEADER, mark);
    return head;
  }

  private static DefaultHttpContent data(String event) {
    return new DefaultHttpContent(Unpooled.copiedBuffer(event, US_ASCII));
  }

  @Test
  void eventStream_requestBehindIt_endsItOnceTheServerLeaves() {
    Harness http = new Harness();
    http.get("/sse");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    http.get("/a");
    http.channel.runPendingTasks();
    assertFalse(http.seen.contains("event StreamEnding[]"));
    assertEquals(1, http.inFlight());

    http.leave();
    TrackedConnection.of(http.channel).announceClose();
    http.channel.runPendingTasks();
    assertTrue(http.seen.contains("event StreamEnding[]"));
    http.respond("a");
    assertTrue(http.received().contains("\r\n0\r\n\r\nHTTP/1.1 200 OK"));
    assertEquals(0, http.inFlight());
    assertFalse(http.channel.isOpen());
  }

  @Test
  void eventStream_requestComesBehindItWhileTheServerLeaves_endsIt() {
    Harness http = new Harness();
    http.get("/sse");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    http.control.leave(Duration.ofDays(1));
    http.get("/a");
    http.channel.runPendingTasks();
    assertTrue(http.seen.contains("event StreamEnding[]"));
    http.respond("a");
    assertTrue(http.received().endsWith("\r\n\r\na"));
    assertEquals(0, http.inFlight());
  }

  @Test
  void eventStream_requestAlreadyBehindItsHeadWhileTheServerLeaves_endsIt() {
    Harness http = new Harness();
    http.get("/sse", "/a");
    http.control.leave(Duration.ofDays(1));
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    http.channel.runPendingTasks();
    assertTrue(http.seen.contains("event StreamEnding[]"));
    http.respond("a");
    assertTrue(http.received().endsWith("\r\n\r\na"));
    assertEquals(0, http.inFlight());
  }

  /** The stream's end is on its way through a handler with threads of its own. */
  @Test
  void eventStream_requestsBehindItWhileItEnds_endItOnce() {
    Harness http = new Harness(new HeldEnd());
    http.get("/sse");
    http.channel.writeOutbound(Harness.head("text/event-stream"));
    assertTrue(http.received().startsWith("HTTP/1.1 200 OK"));
    http.control.leave(Duration.ofDays(1));
    http.get("/a");
    http.get("/b");
    http.channel.runPendingTasks();
    assertEquals(1, Collections.frequency(http.seen, "event StreamEnding[]"));
    http.channel.close();
  }

  private static final class HeldEnd extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      if (!(message instanceof LastHttpContent)) {
        ctx.write(message, promise);
      }
    }
  }
}
