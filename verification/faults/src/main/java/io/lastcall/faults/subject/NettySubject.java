package io.lastcall.faults.subject;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/** Netty with two event loops: HTTP/1.1 and WebSocket on one port, HTTP/2 on another. */
final class NettySubject {
  private static final int EVENT_LOOPS = 2;

  private final Control control;
  private final EventLoopGroup bosses =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup workers =
      new MultiThreadIoEventLoopGroup(EVENT_LOOPS, NioIoHandler.newFactory());

  private NettySubject(Control control) {
    this.control = control;
  }

  static void start(GracefulShutdown shutdown, Control control) throws InterruptedException {
    new NettySubject(control).serve(shutdown, NettyDrain.of(shutdown));
  }

  private void serve(GracefulShutdown shutdown, NettyDrain drain) throws InterruptedException {
    Channel http = listen(pipeline -> http1(pipeline, drain));
    Channel http2 = listen(pipeline -> http2(pipeline, drain));
    shutdown.server(drain.server("http", http, bosses, workers));
    shutdown.server(drain.server("h2", http2, bosses, workers));
    control.say("port http " + port(http));
    control.say("port h2 " + port(http2));
  }

  private void http1(ChannelPipeline pipeline, NettyDrain drain) {
    pipeline.addLast(
        new HttpServerCodec(),
        drain.httpHandler(),
        new HttpServerKeepAliveHandler(),
        new WebSocketServerProtocolHandler("/ws"),
        new NettyRequests(control));
  }

  private void http2(ChannelPipeline pipeline, NettyDrain drain) {
    ChannelHandler streams =
        each(
            stream ->
                stream.addLast(
                    new Http2StreamFrameToHttpObjectCodec(true), new NettyRequests(control)));
    pipeline.addLast(
        Http2FrameCodecBuilder.forServer().build(),
        drain.http2Handler(),
        new Http2MultiplexHandler(streams));
  }

  private Channel listen(Consumer<ChannelPipeline> connections) throws InterruptedException {
    return new ServerBootstrap()
        .group(bosses, workers)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(each(connections))
        .bind(0)
        .sync()
        .channel();
  }

  private static int port(Channel listener) {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  private static ChannelHandler each(Consumer<ChannelPipeline> initializer) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel channel) {
        initializer.accept(channel.pipeline());
      }
    };
  }
}
