package io.lastcall.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection in the way of RFC 9112, section 9.6: half-close, read on until the peer has
 * closed too, then close. Closing at once while the peer still sends makes the kernel answer with a
 * reset, and a reset takes from the peer what it has not read yet.
 */
final class ConnectionEnd {
  /** How long a half-closed connection waits for the peer; Apache httpd lingers as long. */
  static final Duration LINGER = Duration.ofSeconds(2);

  private ConnectionEnd() {}

  /**
   * Half-closes, and closes when the peer has done so too, or after {@link #LINGER}. Under TLS the
   * peer is told by close_notify first. Event loop only; the caller drops what is read.
   */
  static void begin(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      halfClose(channel);
    } else {
      tls.closeOutbound().addListener(told -> halfClose(channel));
    }
  }

  private static void halfClose(Channel channel) {
    if (!(channel instanceof DuplexChannel duplex) || duplex.isInputShutdown()) {
      channel.close();
      return;
    }
    duplex.shutdownOutput().addListener((ChannelFutureListener) ConnectionEnd::linger);
  }

  private static void linger(ChannelFuture halfClosed) {
    Channel channel = halfClosed.channel();
    if (!halfClosed.isSuccess()) {
      channel.close();
      return;
    }
    // Unless the application allows half-closure, the peer's FIN closes the channel.
    Future<?> bound =
        channel
            .eventLoop()
            .schedule(() -> channel.close(), LINGER.toMillis(), TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> bound.cancel(false));
    channel.config().setAutoRead(true);
  }
}
