package io.lastcall.netty;

import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.Channel;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Ends a connection that is idle: not before one more select of its event loop, since a request may
 * already be in the socket's buffer, and not while its client is about to send its first one. Event
 * loop only.
 */
final class IdleEnd {
  private final Channel channel;
  private final ServerConnections owner;

  /** Of null until the pipeline is set up, such as after a TLS handshake. */
  private final Supplier<@Nullable Protocol> speaks;

  /** Until when the first request is awaited. */
  private Deadline firstRequest;

  /** The client has sent something. */
  private boolean heard;

  /** A check has been scheduled. */
  private boolean checking;

  /** The channel is closed without a handler of ours. */
  private boolean closing;

  IdleEnd(Channel channel, ServerConnections owner, Supplier<@Nullable Protocol> speaks) {
    this.channel = channel;
    this.owner = owner;
    this.speaks = speaks;
    this.firstRequest = Deadline.after(owner.patience(), Ticker.system());
  }

  /** The client has sent something, be it part of a TLS handshake. */
  void heard() {
    heard = true;
  }

  /** Only now the client can send its first request. */
  void awaitFirstRequest() {
    firstRequest = Deadline.after(owner.patience(), Ticker.system());
  }

  /** Returns whether it closes the channel itself, since no handler of ours is there to do so. */
  boolean isClosing() {
    return closing;
  }

  /** Looks after one more select whether it is idle. One that is busy calls this when it is not. */
  void check() {
    if (checking || isBusy()) {
      return;
    }
    checking = true;
    if (!channel.config().isAutoRead()) {
      channel.read();
    }
    checkBehindSelect(0);
  }

  /** By a scheduled task, which waits for the next select; one that is executed need not. */
  private void checkBehindSelect(long nanos) {
    channel.eventLoop().schedule(this::checkAgain, nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * A connection that has not carried a request yet gets {@link FirstRequest#PATIENCE} for it: a
   * client that has just connected is about to send. A TLS handshake may end meanwhile, and it
   * begins anew.
   */
  private void checkAgain() {
    long wait = isBusy() ? 0 : nanosToWait();
    if (wait > 0) {
      checkBehindSelect(wait);
    } else {
      endIfStillIdle();
    }
  }

  private long nanosToWait() {
    Protocol protocol = speaks.get();
    return protocol == null || protocol.isUnused() ? firstRequest.remaining().toNanos() : 0;
  }

  private void endIfStillIdle() {
    checking = false;
    if (isBusy()) {
      return;
    }
    Protocol protocol = speaks.get();
    if (ConnectionEnd.hasUnreadInput(channel)) {
      check();
    } else if (protocol == null) {
      closing = true;
      channel.close();
    } else {
      protocol.end();
    }
  }

  /**
   * A client that has sent part of a head, or of a TLS handshake, is not cut off here. Core limits
   * how long the drain waits for it.
   */
  private boolean isBusy() {
    Protocol protocol = speaks.get();
    return isShakingHands()
        || (protocol != null && (protocol.isBusy() || protocol.hasPartOfRequest()));
  }

  /**
   * From the client's first byte on, which may be the PROXY protocol's; a silent client is not
   * waited for. With SNI there is no SslHandler before the client's hello is whole. One that is
   * added later, such as after a PROXY header, counts once it is there.
   */
  boolean isShakingHands() {
    if (!heard) {
      return false;
    }
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls == null
        ? channel.pipeline().get(AbstractSniHandler.class) != null
        : !tls.handshakeFuture().isDone();
  }
}
