package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.util.ReferenceCountUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Stream 1 of a connection that was upgraded to h2c. Netty hands on the whole request, part by
 * part, on a stream whose remote side is closed from the start: an answer to its head closes it.
 */
final class H2cTest {
  private final GateControl control = new GateControl(Ticker.system());
  private final EmbeddedChannel server = new EmbeddedChannel(new HttpServerCodec());

  H2cTest() {
    NettyDrain drain =
        new NettyDrain(
            control.gate(),
            FixedProbes.of(() -> true, () -> true),
            new ConnectionControl().connections());
    server
        .pipeline()
        .addLast(
            new HttpServerUpgradeHandler(
                server.pipeline().get(HttpServerCodec.class),
                protocol ->
                    new Http2ServerUpgradeCodec(
                        Http2FrameCodecBuilder.forServer().build(),
                        drain.http2Handler(),
                        new AnswersHeads()),
                1024));
  }

  @AfterEach
  void close() {
    server.finishAndReleaseAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/a"})
  void answerBeforeTheBody_theRestIsDropped(String path) {
    upgrade(path, "4\r\nfour\r\n0\r\n\r\n");
    assertServed(path);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/livez", "/a"})
  void answerBeforeTheTrailers_theyAreNoRequest(String path) {
    upgrade(path, "0\r\nx: y\r\n\r\n");
    assertServed(path);
  }

  private void upgrade(String path, String body) {
    String head =
        """
        HTTP/1.1
        Host: a
        Connection: Upgrade, HTTP2-Settings
        Upgrade: h2c
        HTTP2-Settings: AAMAAABkAAQAAP__
        Transfer-Encoding: chunked

        """
            .replace("\n", "\r\n");
    server.writeInbound(Unpooled.copiedBuffer("POST " + path + " " + head + body, US_ASCII));
  }

  private void assertServed(String path) {
    server.checkException();
    assertTrue(server.isOpen());
    assertEquals(path.equals("/a") ? 1 : 0, control.started());
    assertEquals(0, control.gate().inFlight());
  }

  /** Answers a request by its head, whatever is behind that. */
  private static final class AnswersHeads extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame head && head.headers().method() != null) {
        ctx.writeAndFlush(
            new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("204"), true)
                .stream(head.stream()));
      }
      ReferenceCountUtil.release(message);
    }
  }
}
