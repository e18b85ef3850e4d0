package io.lastcall.netty;

import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The end of a server that serves nobody, so that the JVM has loaded and linked what the real end
 * needs. It listens on a port of the loopback interface that the kernel picks, for a few
 * milliseconds, and has one connection: our own. NIO whatever the real one uses: most of the code
 * is the same.
 */
final class ServerRehearsal {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private ServerRehearsal() {}

  /**
   * Runs it.
   *
   * @throws Exception where it cannot listen
   */
  static void run() throws Exception {
    Deadline deadline = Deadline.after(TIMEOUT, Ticker.system());
    EventLoopGroup group = nio();
    try {
      run(group, deadline);
    } finally {
      // Also where it could not listen.
      group.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    }
  }

  static void run(EventLoopGroup group, Deadline deadline) throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    Channel listener =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(new Ends())
            .bind(any)
            .syncUninterruptibly()
            .channel();
    NettyServer server = new NettyServer("rehearsal", listener, List.of(group));
    try (SocketChannel client = SocketChannel.open(listener.localAddress())) {
      server.stopListening(deadline);
      server.connections().forEach(HttpConnection::closeIfIdle);
      server.connectionsEnded();
      client.socket().setSoTimeout((int) TIMEOUT.toMillis()); // a channel's own read has no bound
      client.socket().getInputStream().read(); // until its FIN
    } finally {
      server.stop(deadline);
    }
  }

  /** Netty 4.2 has another way to say it, which 4.1 lacks. */
  @SuppressWarnings("deprecation")
  private static EventLoopGroup nio() {
    return new NioEventLoopGroup(1);
  }

  /** Half-closes a connection as soon as it is there. */
  @Sharable
  private static final class Ends extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ConnectionEnd.begin(ctx.channel());
    }
  }
}
