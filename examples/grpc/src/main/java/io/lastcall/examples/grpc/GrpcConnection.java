package io.lastcall.examples.grpc;

import io.lastcall.connection.FirstRequest;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * One connection, from its accept on; the first handler of its pipeline, below TLS. Leaving starts
 * by calling {@code channel.close()}. gRPC turns that into the graceful sequence of RFC 9113,
 * section 6.8: GOAWAY, PING, final GOAWAY after the PING's answer (10 s at most), real close after
 * the last call. {@code Server.shutdown()} does the same to all connections at once.
 */
final class GrpcConnection extends ChannelDuplexHandler implements HttpConnection {
  /** How long a half-closed connection waits for its peer; Apache httpd lingers as long. */
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final Channel channel;
  private final GrpcDrain owner;
  private final Deadline firstCall = Deadline.after(FirstRequest.PATIENCE, Ticker.system());

  /** Written by anybody, before the test whether there is an event loop to tell. */
  private volatile boolean leaving;

  /** The first GOAWAY is scheduled, or out. Event loop only, as all below. */
  private boolean scheduled;

  /** A byte has been read. */
  private boolean used;

  private boolean halfClosed;

  GrpcConnection(Channel channel, GrpcDrain owner) {
    this.channel = channel;
    this.owner = owner;
  }

  @Override
  public void announceClose() {
    leaving = true;
    try {
      // One that is not registered yet sees the flag when it becomes active.
      if (channel.isRegistered()) {
        channel.eventLoop().execute(this::leave);
      }
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
    }
  }

  /** With GOAWAY there is no other way to end an idle connection. */
  @Override
  public void closeIfIdle() {
    announceClose();
  }

  @Override
  public void forceClose() {
    owner.giveUpCalls();
    announceClose();
  }

  private void leave() {
    if (owner.isLastCall() && !used) {
      channel.eventLoop().schedule(this::endIfSilent, untilOverdue(), TimeUnit.NANOSECONDS);
    }
    Http2ConnectionHandler http2 = channel.pipeline().get(Http2ConnectionHandler.class);
    if (scheduled || http2 == null) {
      return; // done, or a TLS handshake comes first
    }
    scheduled = true;
    Http2Connection connection = http2.connection();
    boolean unused = connection.remote().lastStreamCreated() == 0;
    long wait = unused ? untilOverdue() : 0;
    channel.eventLoop().schedule(() -> goAway(connection), wait, TimeUnit.NANOSECONDS);
  }

  private long untilOverdue() {
    return Math.max(0, firstCall.remaining().toNanos());
  }

  /** Who has not sent a byte in all that time will not answer a PING either. */
  private void endIfSilent() {
    if (!used && !halfClosed && channel.isActive()) {
      owner.settled(this);
      ChannelHandlerContext ctx = channel.pipeline().context(this);
      close(ctx, ctx.newPromise());
    }
  }

  private void goAway(Http2Connection http2) {
    http2.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onGoAwaySent(int lastStream, long error, ByteBuf debug) {
            settleIfFinal(lastStream);
          }
        });
    // Its age may have sent the connection away before.
    settleIfFinal(http2.remote().lastStreamKnownByPeer());
    channel.close();
  }

  /** Behind the final GOAWAY, whatever will ever come on this connection is in the gate. */
  private void settleIfFinal(int lastStream) {
    if (lastStream >= 0 && lastStream < Integer.MAX_VALUE) {
      owner.settled(this);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    ctx.fireChannelActive();
    leaveIfTold();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.fireChannelReadComplete();
    leaveIfTold();
  }

  private void leaveIfTold() {
    if (leaving) {
      leave();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    used = true;
    if (halfClosed) {
      ReferenceCountUtil.release(message);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  /**
   * The real close. Half-closes first: a close while the peer still sends, an acknowledgement or a
   * window update, is answered by the kernel with a reset, and that takes from the peer what it has
   * not read yet.
   */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (halfClosed || !channel.isActive() || !(channel instanceof DuplexChannel duplex)) {
      ctx.close(promise);
      return;
    }
    halfClosed = true;
    channel.closeFuture().addListener(closed -> promise.trySuccess());
    duplex.shutdownOutput().addListener((ChannelFuture told) -> linger(ctx, told));
  }

  /** The peer's FIN closes the channel. */
  private void linger(ChannelHandlerContext ctx, ChannelFuture told) {
    if (!told.isSuccess()) {
      ctx.close();
      return;
    }
    var bound =
        channel.eventLoop().schedule(() -> ctx.close(), LINGER.toNanos(), TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> bound.cancel(false));
    channel.config().setAutoRead(true);
  }
}
