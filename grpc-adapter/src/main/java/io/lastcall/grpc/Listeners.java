package io.lastcall.grpc;

import io.grpc.Server;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.netty.NettyDrain;
import io.lastcall.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners of one server, one for each address, and the event loops that serve them: of our
 * own, since gRPC's shared ones end a second after the last server has let go of them.
 */
final class Listeners implements ChannelFactory<ServerChannel> {
  private final EventLoopGroup bosses = group(1, "grpc-boss");
  private final EventLoopGroup workers = group(0, "grpc-worker");
  private final List<NioServerSocketChannel> channels = new CopyOnWriteArrayList<>();

  /**
   * @param threads 0 for Netty's default, two for each processor
   */
  private static EventLoopGroup group(int threads, String name) {
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
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
  List<DrainableServer> roles(GracefulShutdown shutdown, Server server) {
    NettyDrain drain = NettyDrain.of(shutdown);
    List<DrainableServer> roles = new ArrayList<>();
    for (NioServerSocketChannel listener : channels) {
      String name = "grpc:" + listener.localAddress().getPort();
      roles.add(new Role(drain.server(name, listener, bosses, workers), server));
    }
    return roles;
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

  /** As its listener's, but gRPC is told before the event loops end. */
  private record Role(DrainableServer listener, Server server) implements DrainableServer {
    @Override
    public String name() {
      return listener.name();
    }

    @Override
    public Collection<? extends HttpConnection> connections() {
      return listener.connections();
    }

    @Override
    public void stopListening(Deadline deadline) throws Exception {
      listener.stopListening(deadline);
    }

    @Override
    public CompletionStage<?> connectionsEnded() {
      return listener.connectionsEnded();
    }

    @Override
    public void stop(Deadline deadline) throws Exception {
      server.shutdownNow();
      listener.stop(deadline);
    }
  }
}
