package io.lastcall.examples.netty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;

/** What a service on Netty needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that says hello on port 8080. */
  public static void main(String[] args) throws InterruptedException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    NettyDrain drain = NettyDrain.of(shutdown);

    EventLoopGroup bosses = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    EventLoopGroup workers = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
    Channel listener =
        new ServerBootstrap()
            .group(bosses, workers)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(new HttpServerCodec())
                        .addLast(drain.httpHandler()) // right after the codec; answers the probes
                        .addLast(new HttpServerKeepAliveHandler())
                        .addLast(new HttpObjectAggregator(65_536))
                        .addLast(new Hello());
                  }
                })
            .bind(8080)
            .sync()
            .channel();

    shutdown.server(drain.server("api", listener, bosses, workers));
    shutdown.started();
  }

  private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.copiedBuffer("hello\n", UTF_8));
      HttpUtil.setContentLength(response, response.content().readableBytes());
      context.writeAndFlush(response);
    }
  }
}
