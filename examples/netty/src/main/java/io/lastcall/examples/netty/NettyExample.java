package io.lastcall.examples.netty;

import io.lastcall.GracefulShutdown;
import io.lastcall.netty.NettyDrain;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
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
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Configured by the environment: {@code PORT}, {@code PROBE_PORT}, {@code NAIVE}. */
public final class NettyExample {
  private static final Logger log = LoggerFactory.getLogger(NettyExample.class);

  private final EventLoopGroup bosses =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final EventLoopGroup workers = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());

  private NettyExample() {}

  public static void main(String[] args) throws InterruptedException {
    Map<String, String> env = System.getenv();
    int port = Integer.parseInt(env.getOrDefault("PORT", "8080"));
    Optional<Integer> probePort = Optional.ofNullable(env.get("PROBE_PORT")).map(Integer::valueOf);
    NettyExample example = new NettyExample();
    if (Boolean.parseBoolean(env.get("NAIVE"))) {
      example.serveNaively(port, probePort);
    } else {
      example.serve(port, probePort);
    }
    log.info("ready on port {}", port);
  }

  private void serve(int port, Optional<Integer> probePort) throws InterruptedException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    NettyDrain drain = NettyDrain.of(shutdown);
    Channel listener =
        listen(
            port,
            pipeline -> {
              // One handler, right behind the codec ...
              pipeline.addLast(new HttpServerCodec(), drain.httpHandler());
              application(pipeline);
            });
    // ... and one server role.
    shutdown.server(drain.server("netty:" + port, listener, bosses, workers));
    if (probePort.isPresent()) {
      listen(
          probePort.get(),
          pipeline -> pipeline.addLast(new HttpServerCodec(), drain.probeHandler()));
    }
    shutdown.started();
  }

  private void serveNaively(int port, Optional<Integer> probePort) throws InterruptedException {
    Consumer<ChannelPipeline> pipelines =
        pipeline -> {
          pipeline.addLast(new HttpServerCodec());
          application(pipeline);
        };
    listen(port, pipelines);
    if (probePort.isPresent()) {
      listen(probePort.get(), pipelines);
    }
  }

  private static void application(ChannelPipeline pipeline) {
    pipeline.addLast(
        new HttpServerKeepAliveHandler(),
        new WebSocketServerProtocolHandler("/ws"),
        new Routes(),
        new WebSocketEcho());
  }

  private Channel listen(int port, Consumer<ChannelPipeline> pipelines)
      throws InterruptedException {
    return new ServerBootstrap()
        .group(bosses, workers)
        .channel(NioServerSocketChannel.class)
        .option(ChannelOption.SO_BACKLOG, 1024)
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                pipelines.accept(channel.pipeline());
              }
            })
        .bind(port)
        .sync()
        .channel();
  }
}
