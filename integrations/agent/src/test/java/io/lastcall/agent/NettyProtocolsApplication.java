package io.lastcall.agent;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.codec.http2.HttpToHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.InboundHttp2ToHttpAdapterBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * A server on Netty with all that Netty has for HTTP: h2c by upgrade and with prior knowledge,
 * WebSocket on {@code /ws}, and HTTP/2 in one handler where the system property {@code one.handler}
 * is true, and TLS with ALPN where the system property {@code keys} names a key store.
 */
final class NettyProtocolsApplication {
  private static final int MOST = 64 * 1024;

  private NettyProtocolsApplication() {}

  public static void main(String[] args) throws Exception {
    String keys = System.getProperty("keys");
    SslContext tls = keys == null ? null : tls(keys);
    Channel listener =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childHandler(
                each(
                    pipeline -> {
                      if (tls == null) {
                        pipeline.addLast(new ByPreface());
                      } else {
                        pipeline.addLast(tls.newHandler(pipeline.channel().alloc()), new ByAlpn());
                      }
                    }))
            .bind(0)
            .sync()
            .channel();
    System.out.println("ready on port " + ((InetSocketAddress) listener.localAddress()).getPort());
  }

  private static SslContext tls(String keys) throws Exception {
    return SslContextBuilder.forServer(NettyEchoApplication.keys(keys))
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                Protocol.ALPN,
                SelectorFailureBehavior.NO_ADVERTISE,
                SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2,
                ApplicationProtocolNames.HTTP_1_1))
        .build();
  }

  private static ChannelHandler each(Consumer<ChannelPipeline> made) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(Channel channel) {
        made.accept(channel.pipeline());
      }
    };
  }

  private static void cleartext(ChannelPipeline pipeline) {
    HttpServerCodec codec = new HttpServerCodec();
    HttpServerUpgradeHandler upgrade =
        new HttpServerUpgradeHandler(
            codec,
            protocol ->
                AsciiString.contentEquals(Http2CodecUtil.HTTP_UPGRADE_PROTOCOL_NAME, protocol)
                    ? new Http2ServerUpgradeCodec(http2Codec(), streams())
                    : null,
            MOST);
    pipeline.addLast(codec, upgrade);
    http1(pipeline);
  }

  private static void http1(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpObjectAggregator(MOST),
        new WebSocketServerProtocolHandler("/ws"),
        new WebSocketEcho(),
        new NettyApplication.Answers());
  }

  private static void http2(ChannelPipeline pipeline) {
    if (Boolean.getBoolean("one.handler")) {
      pipeline.addLast(oneHandler(), new NettyApplication.Answers());
    } else {
      pipeline.addLast(http2Codec(), streams());
    }
  }

  /**
   * As frameworks do that know no streams of Netty. The system property {@code patience} is how
   * long a close waits for streams, in milliseconds: zero, as in Vert.x, cuts them.
   */
  private static ChannelHandler oneHandler() {
    DefaultHttp2Connection connection = new DefaultHttp2Connection(true);
    return new HttpToHttp2ConnectionHandlerBuilder()
        .connection(connection)
        .gracefulShutdownTimeoutMillis(Long.getLong("patience", 30_000))
        .frameListener(
            new InboundHttp2ToHttpAdapterBuilder(connection).maxContentLength(MOST).build())
        .build();
  }

  private static Http2FrameCodec http2Codec() {
    return Http2FrameCodecBuilder.forServer().build();
  }

  private static Http2MultiplexHandler streams() {
    return new Http2MultiplexHandler(
        each(
            stream ->
                stream.addLast(
                    new Http2StreamFrameToHttpObjectCodec(true),
                    new HttpObjectAggregator(MOST),
                    new NettyApplication.Answers())));
  }

  /** Decides by the first three bytes; no method of HTTP/1.1 begins with these. */
  private static final class ByPreface extends ByteToMessageDecoder {
    private static final String BEGIN = "PRI";

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() < BEGIN.length()) {
        return;
      }
      String begun = in.toString(in.readerIndex(), BEGIN.length(), StandardCharsets.US_ASCII);
      if (begun.equals(BEGIN)) {
        http2(ctx.pipeline());
      } else {
        cleartext(ctx.pipeline());
      }
      ctx.pipeline().remove(this);
    }
  }

  private static final class ByAlpn extends ApplicationProtocolNegotiationHandler {
    ByAlpn() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        http2(ctx.pipeline());
      } else {
        ctx.pipeline().addLast(new HttpServerCodec());
        http1(ctx.pipeline());
      }
    }
  }

  private static final class WebSocketEcho extends SimpleChannelInboundHandler<TextWebSocketFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, TextWebSocketFrame frame) {
      ctx.writeAndFlush(frame.retain());
    }
  }
}
