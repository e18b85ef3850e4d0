package io.lastcall.subjects.netty;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInboundHandlerAdapter;
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
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty with a graceful shutdown. Environment: {@code PORT}; {@code PROBE_PORT}, where set, serves
 * the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code NAIVE_PORT}, where set, does so beside the other, to compare the two in one JVM;
 * {@code LASTCALL_*}, the library's settings.
 */
public final class NettySubject {
  private static final Logger log = LoggerFactory.getLogger(NettySubject.class);

  private final EventLoopGroup bosses =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup workers = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());

  private NettySubject() {}

  /** Starts the server and returns; the event loops keep the process up, a failed start ends it. */
  public static void main(String[] args) {
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", "8080"));
    Optional<Integer> probePort = Optional.ofNullable(env.get("PROBE_PORT")).map(Integer::valueOf);
    Optional<Integer> naivePort = Optional.ofNullable(env.get("NAIVE_PORT")).map(Integer::valueOf);
    try {
      if (naivePort.isPresent()) {
        new NettySubject().serveNaively(naivePort.get(), Optional.empty());
      }
      NettySubject example = new NettySubject();
      Channel listener =
          Boolean.parseBoolean(env.get("NAIVE"))
              ? example.serveNaively(port, probePort)
              : example.serve(port, probePort);
      log.info("ready on port {}", port(listener));
    } catch (Throwable t) {
      log.error("not started", t);
      System.exit(1);
    }
  }

  /** The one it is bound to, also where that was the system's choice. */
  private static int port(Channel listener) {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  private Channel serve(int port, Optional<Integer> probePort) throws InterruptedException {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .awaitStarted()
            .configuration(
                "probe-port",
                probePort.map(String::valueOf).orElse("off"),
                "environment PROBE_PORT")
            .install();
    NettyDrain drain = NettyDrain.of(shutdown);
    // One handler for each protocol, right behind its codec ...
    Channel listener = listen(port, drain::httpHandler, drain::http2Handler);
    // ... and one server role.
    String name = "netty:" + port(listener);
    shutdown.server(drain.server(name, listener, bosses, workers));
    shutdown.started();
    return listener;
  }

  private Channel serveNaively(int port, Optional<Integer> probePort) throws InterruptedException {
    Supplier<ChannelHandler> nothing = ChannelInboundHandlerAdapter::new;
    Channel listener = listen(port, nothing, nothing);
    if (probePort.isPresent()) {
      listen(probePort.get(), nothing, nothing);
    }
    return listener;
  }

  private Channel listen(
      int port, Supplier<ChannelHandler> behindHttp1, Supplier<ChannelHandler> behindHttp2)
      throws InterruptedException {
    Consumer<ChannelPipeline> http1 =
        pipeline ->
            pipeline.addLast(
                new HttpServerCodec(),
                behindHttp1.get(),
                new OneByOne(),
                new HttpServerKeepAliveHandler(),
                new WebSocketServerProtocolHandler("/ws", true), // with or without a query
                new Routes(),
                new WebSocketEcho());
    ChannelHandler streams =
        each(
            stream ->
                stream.addLast(
                    new Http2StreamFrameToHttpObjectCodec(true),
                    new HeadWithoutBody(),
                    new Routes()));
    Consumer<ChannelPipeline> http2 =
        pipeline ->
            pipeline.addLast(
                Http2FrameCodecBuilder.forServer().build(),
                behindHttp2.get(),
                new Http2MultiplexHandler(streams));
    return bind(port, pipeline -> pipeline.addLast(new ByPreface(http1, http2)));
  }

  private Channel bind(int port, Consumer<ChannelPipeline> connections)
      throws InterruptedException {
    return new ServerBootstrap()
        .group(bosses, workers)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(each(connections))
        .bind(port)
        .sync()
        .channel();
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
