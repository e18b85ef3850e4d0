package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipelineException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In pipelines as frameworks build them. */
final class PlacementTest {
  private static final String PROXY_1 = "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n";

  /** Of version 2, for IPv4 without more. */
  private static final String PROXY_2 =
      "\r\n\r\n\0\r\nQUIT\n!\u0011\0\f" + "\u00c0\0\2\1\u00c0\0\2\2\u00dc\4\1\u00bb";

  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

  /** An empty SETTINGS frame (RFC 9113, section 6.5). */
  private static final String SETTINGS = "\0\0\0\4\0\0\0\0\0";

  private final NettyDrain drain = new Harness().drain;
  private final EmbeddedChannel channel = new EmbeddedChannel();

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void build(ChannelHandler... handlers) {
    channel.pipeline().addLast(drain.placingHandler()).addLast(handlers);
  }

  /** As Reactor Netty's of a port for both versions. */
  private void buildForBoth(String proxyHeader) {
    channel.pipeline().addLast(drain.placingHandler());
    if (!proxyHeader.isEmpty()) {
      channel.pipeline().addLast(new HAProxyMessageDecoder(), new DropsProxyHeader());
    }
    HttpServerCodec codec = new HttpServerCodec();
    channel
        .pipeline()
        .addLast(
            new CleartextHttp2ServerUpgradeHandler(
                codec,
                new HttpServerUpgradeHandler(codec, protocol -> null),
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(io.netty.channel.Channel http2) {
                    http2
                        .pipeline()
                        .addLast(
                            Http2FrameCodecBuilder.forServer().build(),
                            new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
                  }
                }));
  }

  private void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, ISO_8859_1));
  }

  private void assertPlaced(Class<? extends ChannelHandler> handler) {
    assertNotNull(channel.pipeline().get(handler), () -> "" + channel.pipeline().names());
    assertNull(channel.pipeline().get(Placement.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "PROPFIND", "PRINT", "PROXY", "P"})
  void http1_firstHeadInParts_isPlacedBeforeTheCodecReadsIt(String method) {
    build(new HttpServerCodec());
    send(method.substring(0, 1));
    send(method.substring(1));
    send(" /a HTTP/1.1\r\nHost: a\r\n\r\n");

    assertPlaced(Http1Handler.class);
    assertEquals(1, channel.inboundMessages().stream().filter(PlacementTest::isHead).count());
  }

  private static boolean isHead(Object message) {
    return message instanceof io.netty.handler.codec.http.HttpRequest;
  }

  @Test
  void http1_decoderAndEncoderApart_isPlacedBehindBoth() {
    build(new HttpRequestDecoder(), new HttpResponseEncoder());
    send("GET");

    List<String> names = channel.pipeline().names();
    assertTrue(names.indexOf("lastcall") > names.indexOf("HttpResponseEncoder#0"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", PROXY_1, PROXY_2})
  void portForBoth_http1_isPlacedBehindItsCodec(String proxyHeader) {
    buildForBoth(proxyHeader);
    send(proxyHeader + "GET / HTTP/1.1\r\nHost: a\r\n\r\n");

    assertPlaced(Http1Handler.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", PROXY_1, PROXY_2})
  void portForBoth_preface_isPlacedBetweenCodecAndStreams(String proxyHeader) {
    buildForBoth(proxyHeader);
    send(proxyHeader + PREFACE + SETTINGS);

    assertPlaced(Http2Handler.class);
    assertNull(channel.pipeline().get(Http1Handler.class));
  }

  @Test
  void prefaceAlone_isPlaced() {
    buildForBoth("");
    send(PREFACE.substring(0, 3));
    send(PREFACE.substring(3));

    assertPlaced(Http2Handler.class);
  }

  @Test
  void noHttp_allOfItPassesAndTheHandlerLeaves() {
    build();
    String bytes = "x".repeat(2_000);
    send(bytes);

    StringBuilder passed = new StringBuilder();
    for (ByteBuf in = channel.readInbound(); in != null; in = channel.readInbound()) {
      passed.append(in.toString(ISO_8859_1));
      in.release();
    }
    assertEquals(bytes, passed.toString());
    assertNull(channel.pipeline().get(Placement.class));
  }

  @Test
  void behindTheCodec_isRefused() {
    channel.pipeline().addLast(new HttpServerCodec(), drain.placingHandler());

    ChannelPipelineException refused =
        assertThrows(ChannelPipelineException.class, channel::checkException);
    String told = String.valueOf(refused.getCause());
    assertTrue(told.contains("in front of the codec: add it first"), told);
  }

  private static final class DropsProxyHeader extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HAProxyMessage) {
        ReferenceCountUtil.release(message);
      } else {
        ctx.fireChannelRead(message);
      }
    }
  }
}
