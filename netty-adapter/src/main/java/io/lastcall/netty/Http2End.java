package io.lastcall.netty;

import io.lastcall.spi.Http2Leaving;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Error;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * How one HTTP/2 connection leaves, as {@link Http2Leaving} says. Its end waits for the last call:
 * the JDK's client drops at the FIN the received bytes that its application has not read yet. Event
 * loop only.
 */
final class Http2End implements Http2Leaving.Connection {
  private final ChannelHandlerContext ctx;
  private final TrackedConnection connection;
  private final Http2Streams streams;
  final Http2Leaving leaving = new Http2Leaving(this);

  /**
   * @param ctx the context of the handler after the codec
   */
  Http2End(ChannelHandlerContext ctx, TrackedConnection connection, Http2Streams streams) {
    this.ctx = ctx;
    this.connection = connection;
    this.streams = streams;
  }

  @Override
  public boolean isReady() {
    return ctx.channel().isActive() && !ctx.isRemoved();
  }

  @Override
  public boolean isQuiet() {
    return streams.areAnswered();
  }

  @Override
  public boolean isIdle() {
    return streams.count() == 0;
  }

  @Override
  public boolean isLastCall() {
    return connection.isLastCall();
  }

  @Override
  public boolean sendGoAway() {
    ctx.write(
        new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
    ctx.writeAndFlush(new DefaultHttp2PingFrame(Http2Leaving.PING))
        .addListener(sent -> leaving.flushed());
    connection.notifyLeaving(ctx);
    return true;
  }

  @Override
  public boolean sendLastGoAway() {
    if (!isReady()) {
      return false;
    }
    end();
    return true;
  }

  void end() {
    ctx.write(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR, Unpooled.EMPTY_BUFFER));
    // After everything that is still to be written.
    ctx.writeAndFlush(Unpooled.EMPTY_BUFFER)
        .addListener(
            flushed -> {
              connection.nothingOwed();
              ConnectionEnd.begin(ctx.channel());
            });
  }

  @Override
  public void schedule(Duration delay, Runnable task) {
    ctx.executor().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Not before the last call, nor with a request in flight: DRAIN's end may have to answer it. */
  @Override
  public void excluded() {
    if (isLastCall() && isQuiet()) {
      connection.nothingOwed();
    }
  }
}
