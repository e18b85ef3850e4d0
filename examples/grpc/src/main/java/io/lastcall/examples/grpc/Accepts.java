package io.lastcall.examples.grpc;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees each connection as a listener accepts it, before anything of it is set up; and closes the
 * listener on the accepting thread, behind a last connection of ours, as soon as nobody is queued:
 * any gap between the last accept and the close would reset a client.
 */
final class Accepts extends ChannelInboundHandlerAdapter {
  private final Consumer<Channel> clients;

  /** Where the one comes from that the listener is closed behind. */
  private volatile @Nullable SocketAddress lastAddress;

  /** That one: gRPC does not get it. */
  private @Nullable Channel last;

  /** By the read that is going on. */
  private int accepted;

  /**
   * @param clients told of each connection that is not ours
   */
  Accepts(Consumer<Channel> clients) {
    this.clients = clients;
  }

  /** The connection from {@code address} is the last, with those that are queued behind it. */
  void endWith(SocketAddress address) {
    lastAddress = address;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    accepted++;
    if (message instanceof Channel connection) {
      SocketAddress address = connection.remoteAddress();
      if (address != null && address.equals(lastAddress)) {
        last = connection;
        return;
      }
      clients.accept(connection);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    boolean noneQueued = accepted == 0;
    accepted = 0;
    if (last != null) {
      end(ctx, last, noneQueued);
    }
    ctx.fireChannelReadComplete();
  }

  /**
   * As long as its selector knows a channel, its port stays open behind its close, until the next
   * select: the kernel would queue whoever connects meanwhile, and then reset them.
   */
  private void end(ChannelHandlerContext ctx, Channel ours, boolean noneQueued) {
    Channel listener = ctx.channel();
    if (!noneQueued) {
      ctx.executor().execute(() -> readOn(listener, ours));
    } else if (listener.isRegistered()) {
      listener
          .deregister()
          .addListener(
              left ->
                  ctx.executor().schedule(() -> readOn(listener, ours), 0, TimeUnit.NANOSECONDS));
    } else {
      close(listener, ours);
    }
  }

  /** Somebody else may have closed it by now; a read would fail, and our own stay open. */
  private static void readOn(Channel listener, Channel ours) {
    if (listener.isOpen() && listener.unsafe() instanceof NioUnsafe nio) {
      nio.read();
    } else {
      close(listener, ours);
    }
  }

  private static void close(Channel listener, Channel ours) {
    listener.close();
    ours.unsafe().closeForcibly();
  }
}
