package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class Http1HandlerTest {
  private Harness http = new Harness();

  @AfterEach
  void close() {
    http.channel.finishAndReleaseAll();
    assertEquals(0, http.inFlight());
  }

  @Test
  void request_unanswered_isInFlight() {
    http.get("/a");

    assertEquals(1, http.inFlight());
    assertEquals("GET /a", http.control.running().get(0).description());
  }

  @Test
  void response_whole_releasesAndKeepsAlive() {
    http.get("/a");
    http.respond("hello");

    assertEquals(0, http.inFlight());
    assertTrue(http.received().endsWith("hello"));
    assertTrue(http.channel.isOpen());
  }

  @Test
  void response_streamed_releasesBehindItsLastPiece() {
    http.get("/a");
    http.channel.writeOutbound(Harness.head("text/plain"));
    http.channel.writeOutbound(
        new DefaultHttpContent(Unpooled.copiedBuffer("x", StandardCharsets.UTF_8)));
    assertEquals(1, http.inFlight());

    http.channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
    assertEquals(0, http.inFlight());
  }

  @Test
  void response_writtenNotFlushed_isInFlight() {
    http.get("/a");
    http.channel.write(Harness.ok("x"));
    assertEquals(1, http.inFlight());

    http.channel.flush();
    assertEquals(0, http.inFlight());
  }

  @Test
  void response_withVoidPromise_releases() {
    http.get("/a");
    http.channel.writeAndFlush(Harness.ok("x"), http.channel.voidPromise());

    assertEquals(0, http.inFlight());
  }

  @Test
  void requests_pipelined_areCountedEachAndAnsweredInOrder() {
    http.get("/a", "/b", "/c");
    assertEquals(3, http.inFlight());

    http.respond("1");
    assertEquals(2, http.inFlight());
    http.respond("2");
    http.respond("3");

    assertEquals(0, http.inFlight());
    assertEquals(List.of("GET /a", "GET /b", "GET /c"), http.seen);
  }

  @Test
  void continue_full_isNotTheResponse() {
    http.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n");
    http.leave();
    http.channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE));

    assertEquals("HTTP/1.1 100 Continue\r\n\r\n", http.received());
    assertEquals(1, http.inFlight());
    http.send("x");
    http.respond("1");
    assertTrue(http.received().contains("connection: close"));
    assertEquals(0, http.inFlight());
  }

  @Test
  void earlyHints_inTwoParts_areNotTheResponse() {
    http.get("/a");
    http.channel.writeOutbound(
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(103)),
        new DefaultLastHttpContent());

    assertEquals(1, http.inFlight());
    http.respond("1");
    assertEquals(0, http.inFlight());
  }

  @Test
  void noContent_ends() {
    http.get("/a");
    http.channel.writeOutbound(
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.NO_CONTENT));

    assertEquals(0, http.inFlight());
  }

  /** Its page is waited for. */
  @Test
  void error_ofTheTypeOfEventStreams_isInFlight() {
    http.get("/a");
    HttpResponse head = Harness.head("text/event-stream");
    head.setStatus(HttpResponseStatus.INTERNAL_SERVER_ERROR);
    http.channel.writeOutbound(head);

    assertEquals(1, http.inFlight());
  }

  @Test
  void head_ends() {
    http.send("HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n");
    http.respond("body");

    assertEquals(0, http.inFlight());
    assertTrue(http.received().endsWith("\r\n\r\n"));
  }

  @Test
  void probe_isAnsweredUncounted() {
    http.get("//livez?verbose");

    String received = http.received();
    assertTrue(received.endsWith("[+]alive ok\nlivez check passed\n"), received);
    assertEquals(0, http.control.started());
    assertEquals(List.of(), http.seen);
    assertTrue(http.channel.isOpen());
  }

  /** An application that reads on demand never sees the probe, and demands nothing behind it. */
  @Test
  void probe_withoutAutoRead_readsOn() {
    AtomicInteger reads = countReads();
    http.get("/a");
    http.respond("1");
    assertEquals(0, reads.get());

    http.get("/livez");
    assertTrue(reads.get() > 0);
  }

  private AtomicInteger countReads() {
    AtomicInteger reads = new AtomicInteger();
    http.channel
        .pipeline()
        .addFirst(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void read(ChannelHandlerContext ctx) {
                reads.getAndIncrement();
                ctx.read();
              }
            });
    http.channel.config().setAutoRead(false);
    return reads;
  }

  @Test
  void probe_gateClosed_isStillAnswered() {
    http.leave();
    http.shutdown.outOfService = true;
    http.control.close();
    http.get("/readyz");

    assertTrue(http.received().startsWith("HTTP/1.1 503 "));
    assertEquals(0, http.control.refused());
  }

  @Test
  void probe_malformed_isTheApplicationsToRefuse() {
    http.send("GET /readyz HTTP/1.1\r\n: no name\r\n\r\n");

    assertEquals("", http.received());
    assertEquals(List.of("GET /readyz"), http.seen);
    assertEquals(1, http.inFlight());
  }

  @Test
  void probe_pipelined_waitsForItsTurn() {
    http.get("/a", "/livez", "/b");
    assertEquals("", http.received());

    http.respond("1");
    assertTrue(http.received().endsWith("ok\n"));
    assertEquals(1, http.inFlight());
    http.respond("2");
    assertEquals(List.of("GET /a", "GET /b"), http.seen);
  }

  @Test
  void probe_ofHttp10_closes() {
    http.send("GET /livez HTTP/1.0\r\n\r\n");

    assertTrue(http.received().endsWith("ok\n"));
    assertFalse(http.channel.isOpen());
  }

  @Test
  void clientGone_releasesAll() {
    http.get("/a", "/b");
    http.channel.write(Harness.ok("not flushed"));
    http.channel.close();

    assertEquals(0, http.inFlight());
  }

  @Test
  void handlerRemoved_releasesAll() {
    http.get("/a");
    http.channel.pipeline().remove(Http1Handler.class);

    assertEquals(0, http.inFlight());
  }

  @Test
  void applicationFails_andCloses_releases() {
    http = new Harness(new Fails());
    http.get("/a");

    assertEquals(0, http.inFlight());
    assertFalse(http.channel.isOpen());
  }

  @Test
  void headWritten_thenClosed_releasesOnce() {
    http.get("/a");
    http.channel.writeOutbound(Harness.head("text/plain"));
    http.channel.close();

    assertEquals(1, http.control.started());
    assertEquals(1, http.control.finished());
  }

  private static final class Fails extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      throw new IllegalStateException("as a test");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }
}
