package io.lastcall.netty;

import io.lastcall.spi.Linger;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection in the way of RFC 9112, section 9.6: half-close, read on until the peer has
 * closed too, then close. Closing at once while the peer still sends makes the kernel answer with a
 * reset, and a reset takes from the peer what it has not read yet.
 */
final class ConnectionEnd {
  private ConnectionEnd() {}

  private static @Nullable SocketChannel socket(Channel channel) {
    return channel.unsafe() instanceof NioUnsafe nio && nio.ch() instanceof SocketChannel socket
        ? socket
        : null;
  }

  /**
   * Returns whether the socket holds bytes that the event loop has not read. Between its select and
   * this call the event loop may have served and closed many other connections. False on epoll and
   * io_uring: only NIO offers a way to ask the kernel. Event loop only.
   */
  static boolean hasUnreadInput(Channel channel) {
    SocketChannel socket = socket(channel);
    try {
      return socket != null && socket.socket().getInputStream().available() > 0;
    } catch (IOException gone) {
      return false;
    }
  }

  /**
   * Half-closes the connection, and closes it when the peer has closed its side, or after {@link
   * Linger#LIMIT}. Under TLS the close_notify is sent first; the wait until it is written has the
   * same bound. Event loop only; the caller drops the bytes that are still read.
   */
  static void begin(Channel channel) {
    ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
    Runnable close = () -> channel.close();
    if (tls == null) {
      halfClose(channel, close);
      return;
    }
    // Below TLS, which would wait for its close_notify once more.
    Future<?> bound = afterLinger(channel, () -> tls.close());
    ((SslHandler) tls.handler())
        .closeOutbound()
        .addListener(
            sent -> {
              bound.cancel(false);
              halfClose(channel, close);
            });
  }

  private static Future<?> afterLinger(Channel channel, Runnable close) {
    return channel.eventLoop().schedule(close, Linger.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * As {@link #begin}, below TLS.
   *
   * @param close closes the channel, after the peer's FIN or {@link Linger#LIMIT} at the latest
   */
  static void halfClose(Channel channel, Runnable close) {
    if (!(channel instanceof DuplexChannel duplex) || duplex.isInputShutdown()) {
      close.run();
      return;
    }
    duplex
        .shutdownOutput()
        .addListener((ChannelFuture halfClosed) -> linger(channel, halfClosed, close));
  }

  private static void linger(Channel channel, ChannelFuture halfClosed, Runnable close) {
    if (!halfClosed.isSuccess()) {
      close.run();
      return;
    }
    // Unless the application allows half-closure, the peer's FIN closes the channel.
    Future<?> bound = afterLinger(channel, close);
    channel.closeFuture().addListener(closed -> bound.cancel(false));
    channel.config().setAutoRead(true);
  }
}
