package io.lastcall.agent.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds out by the first connection that tells whether a listener speaks HTTP: once a connection
 * has sent its first bytes, the adapter's handler is behind the codec, or there is none. Bytes that
 * may begin TLS, HTTP/2 or a PROXY header do not tell. The listener's event loop, and each
 * connection's.
 */
final class NettyProtocol extends ChannelInboundHandlerAdapter {
  /** What the adapter calls its handler. */
  private static final String PLACED = "lastcall";

  /** A TLS record of a handshake, the preface and PROXY, PROXY version 2. */
  private static final String UNDECIDED = "\u0016P\r";

  private final Runnable notHttp;
  private volatile boolean decided;

  private NettyProtocol(Runnable notHttp) {
    this.notHttp = notHttp;
  }

  /**
   * Runs an action if it is none, at most once, when nothing of ours is in the way any more.
   *
   * @param listener with the adapter's handlers
   */
  static void find(Channel listener, Runnable notHttp) {
    listener.pipeline().addFirst(new NettyProtocol(notHttp));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (decided) {
      ctx.pipeline().remove(this);
    } else if (message instanceof Channel connection) {
      // Behind the adapter's own, which comes next.
      connection.pipeline().addFirst(new First(ctx.channel()));
    }
    ctx.fireChannelRead(message);
  }

  private final class First extends ChannelInboundHandlerAdapter {
    private final Channel listener;
    private char first;

    First(Channel listener) {
      this.listener = listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (first == 0 && message instanceof ByteBuf bytes && bytes.isReadable()) {
        first = (char) bytes.getUnsignedByte(bytes.readerIndex());
      }
      ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.fireChannelReadComplete();
      if (ctx.isRemoved()) {
        return;
      }
      boolean isHttp = ctx.pipeline().get(PLACED) != null;
      ctx.pipeline().remove(this);
      if (isHttp) {
        decided = true;
      } else if (!decided && first != 0 && UNDECIDED.indexOf(first) < 0) {
        decided = true;
        listener.eventLoop().execute(this::leave);
      }
    }

    private void leave() {
      removeOurs(listener);
      notHttp.run();
    }
  }

  private static void removeOurs(Channel listener) {
    List<ChannelHandler> ours = new ArrayList<>();
    for (Map.Entry<String, ChannelHandler> entry : listener.pipeline()) {
      if (entry.getValue().getClass().getClassLoader() == NettyProtocol.class.getClassLoader()) {
        ours.add(entry.getValue());
      }
    }
    ours.forEach(listener.pipeline()::remove);
  }
}
