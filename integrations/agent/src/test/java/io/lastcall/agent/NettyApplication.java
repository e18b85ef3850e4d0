package io.lastcall.agent;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.HttpConversionUtil.ExtensionHeaderNames;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTP server on Netty as anybody writes it. */
final class NettyApplication {
  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private NettyApplication() {}

  public static void main(String[] args) throws Exception {
    Channel listener =
        new ServerBootstrap()
            .group(new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory()))
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(new HttpServerCodec(), new HttpObjectAggregator(1024))
                        .addLast(new Answers());
                  }
                })
            .bind(0)
            .sync()
            .channel();
    System.out.println("ready on port " + ((InetSocketAddress) listener.localAddress()).getPort());
  }

  static final class Answers extends SimpleChannelInboundHandler<FullHttpRequest> {
    /** HTTP/2, where one handler is both codec and streams. */
    private static final String STREAM = ExtensionHeaderNames.STREAM_ID.text().toString();

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      String uri = request.uri();
      String stream = request.headers().get(STREAM);
      THREADS.execute(() -> ctx.writeAndFlush(response(Rendezvous.answer(uri), stream)));
    }

    private static FullHttpResponse response(String text, @Nullable String stream) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.OK,
              Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
      response.headers().set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
      if (stream != null) {
        response.headers().set(STREAM, stream);
      }
      return response;
    }
  }
}
