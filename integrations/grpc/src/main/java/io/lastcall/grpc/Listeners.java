package io.lastcall.grpc;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.netty.NettyDrain;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners of one server, one for each address, and the event loops that serve them: of our
 * own, since gRPC's shared ones end a second after the last server has released them.
 */
final class Listeners implements ChannelFactory<ServerChannel> {
  private final EventLoopGroup bosses = group(1, "grpc-boss");
  private final EventLoopGroup workers = group(0, "grpc-worker");
  private final List<NioServerSocketChannel> channels = new CopyOnWriteArrayList<>();

  /**
   * @param threads 0 for Netty's default, two for each processor
   */
  @SuppressWarnings("deprecation") // in Netty 4.2; 4.1 has no other
  private static EventLoopGroup group(int threads, String name) {
    return new NioEventLoopGroup(threads, new DefaultThreadFactory(name, true));
  }

  EventLoopGroup bosses() {
    return bosses;
  }

  EventLoopGroup workers() {
    return workers;
  }

  @Override
  public ServerChannel newChannel() {
    NioServerSocketChannel listener = new NioServerSocketChannel();
    listener.pipeline().addFirst(new Accepts());
    channels.add(listener);
    return listener;
  }

  /** Returns the roles of the listeners, all of which are bound. */
  List<DrainableServer> roles(GracefulShutdown shutdown) {
    NettyDrain drain = NettyDrain.of(shutdown);
    return channels.stream()
        .map(
            listener ->
                drain.server(
                    "grpc:" + listener.localAddress().getPort(), listener, bosses, workers))
        .toList();
  }

  void close() {
    bosses.shutdownGracefully();
    workers.shutdownGracefully();
  }

  /** Gives each connection its handler before gRPC sets it up. */
  @Sharable
  private static final class Accepts extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Channel connection) {
        connection.pipeline().addFirst(new GrpcConnection());
      }
      ctx.fireChannelRead(message);
    }
  }
}
