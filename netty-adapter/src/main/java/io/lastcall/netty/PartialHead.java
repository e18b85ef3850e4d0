package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;

/**
 * Whether the codec of an HTTP/1.1 connection holds the first part of a request's head: a read has
 * brought bytes, and the codec has passed nothing on. A part that comes in the same read as the end
 * of the request before it is not seen. Event loop only.
 */
final class PartialHead {
  private final ChannelHandlerContext ctx;

  /** The codec has passed on a message of the read that is going on. */
  private boolean passedOn;

  /**
   * A handler that chooses the protocol removes itself inside the first read, and that causes a
   * second {@code channelReadComplete}, without any bytes.
   */
  private boolean firstReadOver;

  /** The read that is going on, if any, has brought the end of a TLS handshake. */
  private boolean shakingHands;

  private boolean held;
  private boolean inputOver;

  PartialHead(ChannelHandlerContext ctx) {
    this.ctx = ctx;
    SslHandler tls = ctx.pipeline().get(SslHandler.class);
    if (tls != null && tls.handshakeFuture().isDone()) {
      handshakeDone();
    }
  }

  /** All bytes read so far belonged to the TLS handshake. */
  void handshakeDone() {
    held = false;
    shakingHands = true;
    ctx.executor().execute(() -> shakingHands = false);
  }

  void passedOn() {
    passedOn = true;
    held = false;
  }

  /**
   * @param used whether the connection has carried a request
   * @param between whether the codec waits for the head of a request
   */
  void readComplete(boolean used, boolean between) {
    if (!passedOn && !shakingHands && (firstReadOver || !used)) {
      held = between;
    }
    if (!firstReadOver) {
      ctx.executor().execute(() -> firstReadOver = true);
    }
    passedOn = false;
  }

  /** The peer has half-closed: a part stays a part, and is no reason to wait. */
  void inputShutdown() {
    inputOver = true;
  }

  boolean isHeld() {
    return held && !inputOver;
  }
}
