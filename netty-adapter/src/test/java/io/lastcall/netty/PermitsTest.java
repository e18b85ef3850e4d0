package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.Listed;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What a connection keeps for its requests: no more than it needs, and nothing behind its end. */
class PermitsTest {
  private static final int MANY = 300;

  @Test
  void http1_requestsOneAfterTheOther_shareOnePermit() {
    Harness http = new Harness();
    for (int i = 0; i < MANY; i++) {
      http.get("/a");
      http.respond("a");
      http.received();
    }
    assertEquals(1, Listed.permits(http.control));
    http.channel.finishAndReleaseAll();
    assertEquals(0, Listed.connections(http.control));
  }

  @Test
  void http1_betweenRequests_keepsNoneOfThem() {
    Harness http = new Harness();
    http.get("/a");
    Supplier<String> permit = Listed.description(http.control);
    assertEquals("GET /a", permit.get());
    http.respond("a");
    assertEquals("GET ", permit.get());
    http.channel.finishAndReleaseAll();
  }

  @Test
  void http2_betweenRequests_keepsNoneOfThem() {
    Http2Harness http = new Http2Harness();
    http.request("GET", "/a", true);
    http.toServer();
    Supplier<String> permit = Listed.description(http.control);
    assertEquals("GET /a", permit.get());
    respond(http, http.requests.remove(0), "text/plain");
    assertEquals("GET ", permit.get());
    http.close();
  }

  @Test
  void http1_eventStreams_leaveNothingBehind() {
    Harness http = new Harness();
    for (int i = 0; i < MANY; i++) {
      http.get("/events");
      http.channel.writeOutbound(Harness.head("text/event-stream"));
      http.channel.writeOutbound(
          new DefaultHttpContent(Unpooled.copiedBuffer("data: a\n\n", UTF_8)));
      http.channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);
      http.received();
    }
    assertEquals(0, Listed.permits(http.control));
    http.channel.finishAndReleaseAll();
  }

  @Test
  void http1_responsesThatCannotBeWritten_leaveNothingBehind() {
    Harness http = new Harness();
    http.channel.pipeline().addFirst(new FailedWrites());
    for (int i = 0; i < MANY; i++) {
      http.get("/a");
      assertNotNull(http.channel.writeAndFlush(Harness.ok("a")).cause());
      assertEquals(0, http.inFlight());
    }
    assertEquals(0, Listed.permits(http.control));
    assertTrue(http.channel.isOpen());
    http.channel.finishAndReleaseAll();
  }

  @Test
  void http1_upgraded_isListedNoMore() {
    Harness http = new Harness();
    http.send("GET /ws HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
    HttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    response.headers().set("Connection", "upgrade").set("Upgrade", "websocket");
    assertEquals(1, Listed.connections(http.control));
    http.channel.writeOutbound(response);
    assertEquals(0, Listed.connections(http.control));
    http.channel.finishAndReleaseAll();
  }

  @Test
  void http1_pipelinedAndUnanswered_areListedEachUntilTheConnectionEnds() {
    Harness http = new Harness();
    http.get("/a", "/b", "/c");
    assertEquals(
        "[GET /a, GET /b, GET /c]",
        http.control.running().stream().map(InFlightRequest::description).toList().toString());
    http.channel.finishAndReleaseAll();
    assertEquals(0, http.inFlight());
    assertEquals(0, Listed.connections(http.control));
  }

  @Test
  void http2_requestsOneAfterTheOther_shareOnePermit() {
    Http2Harness http = new Http2Harness();
    for (int i = 0; i < MANY; i++) {
      respond(http, "text/plain");
    }
    assertEquals(1, Listed.permits(http.control));
    http.close();
    assertEquals(0, Listed.connections(http.control));
  }

  @Test
  void http2_eventStreams_leaveNothingBehind() {
    Http2Harness http = new Http2Harness();
    for (int i = 0; i < MANY; i++) {
      respond(http, "text/event-stream");
    }
    assertEquals(0, Listed.permits(http.control));
    http.close();
  }

  private static final class FailedWrites extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
      promise.setFailure(new IOException("the test's"));
    }
  }

  private static void respond(Http2Harness http, String type) {
    http.request("GET", "/a", true);
    http.toServer();
    respond(http, http.requests.remove(0), type);
  }

  private static void respond(Http2Harness http, Http2FrameStream stream, String type) {
    http.server.writeOutbound(
        new DefaultHttp2HeadersFrame(
                new DefaultHttp2Headers().status("200").set("content-type", type))
            .stream(stream),
        new DefaultHttp2DataFrame(true).stream(stream));
    http.toClient();
    assertEquals(0, http.inFlight());
  }
}
