package io.lastcall.grpc;

import io.lastcall.netty.Protocol;
import io.lastcall.netty.ProtocolConnection;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;

/**
 * One connection from its accept on, as the first handler of its pipeline, below TLS. It leaves by
 * {@code channel.close()}, which gRPC turns into the sequence of RFC 9113, section 6.8: GOAWAY,
 * PING, the final GOAWAY after the PING's answer (10 s at most), and the real close after the last
 * call. Event loop only.
 */
final class GrpcConnection extends ChannelDuplexHandler implements Protocol {
  private final Deadline firstCall = Deadline.after(FirstRequest.PATIENCE, Ticker.system());

  @SuppressWarnings("NullAway.Init") // by handlerAdded, before any event
  private ChannelHandlerContext ctx;

  @SuppressWarnings("NullAway.Init") // likewise
  private ProtocolConnection connection;

  private boolean leaving;

  /** The first GOAWAY is scheduled or sent. */
  private boolean announced;

  /** A byte has been read. */
  private boolean used;

  /** The client knows which of its calls is the last: each call that may come is in the gate. */
  private boolean settled;

  private boolean halfClosed;

  @Override
  public void handlerAdded(ChannelHandlerContext added) {
    ctx = added;
    connection = ProtocolConnection.speaks(added, this);
  }

  @Override
  public void announceClose() {
    leaving = true;
    Http2ConnectionHandler codec = ctx.pipeline().get(Http2ConnectionHandler.class);
    if (announced || codec == null) {
      return; // done, or a TLS handshake comes first
    }
    announced = true;
    boolean unused = codec.connection().remote().lastStreamCreated() == 0;
    long wait = unused ? Math.max(0, firstCall.remaining().toNanos()) : 0;
    ctx.executor().schedule(() -> goAway(codec.connection()), wait, TimeUnit.NANOSECONDS);
  }

  private void goAway(Http2Connection http2) {
    http2.addListener(
        new Http2ConnectionAdapter() {
          @Override
          public void onGoAwaySent(int lastStream, long error, ByteBuf debug) {
            settleIfFinal(lastStream);
          }
        });
    // The connection may have been sent away before, by its age.
    settleIfFinal(http2.remote().lastStreamKnownByPeer());
    ctx.channel().close();
  }

  private void settleIfFinal(int lastStream) {
    if (lastStream >= 0 && lastStream < Integer.MAX_VALUE) {
      settled = true;
      connection.nothingOwed();
    }
  }

  @Override
  public boolean isMultiplexed() {
    return true;
  }

  /** The drain has timed out: the gate has ended the calls. */
  @Override
  public void forceClose() {
    announceClose();
  }

  /** The final GOAWAY ends it, and no idle test: a call may always be on the wire before that. */
  @Override
  public boolean isBusy() {
    return used && !settled;
  }

  @Override
  public boolean isUnused() {
    return !used;
  }

  /** Without a byte from the client: it will not answer a PING either. */
  @Override
  public void end() {
    if (!halfClosed && ctx.channel().isActive()) {
      connection.nothingOwed();
      close(ctx, ctx.newPromise());
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    context.fireChannelActive();
    announceIfLeaving();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.fireChannelReadComplete();
    announceIfLeaving();
  }

  /** The codec may be there only now. */
  private void announceIfLeaving() {
    if (leaving) {
      announceClose();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    used = true;
    if (halfClosed) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  /**
   * The real close half-closes first: a close while the peer still sends, an acknowledgement or a
   * window update, is answered by the kernel with a reset, and that takes from the peer what it has
   * not read yet.
   */
  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    if (halfClosed || !context.channel().isActive()) {
      context.close(promise);
      return;
    }
    halfClosed = true;
    context.channel().closeFuture().addListener(closed -> promise.trySuccess());
    connection.halfClose();
  }
}
