package io.lastcall.netty;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leaves an HTTP/2 connection in the two steps of RFC 9113, section 6.8. The first GOAWAY names the
 * highest stream there can be: the client opens no more, but those on the wire are served. When a
 * PING sent behind it comes back, every one of them has arrived; the final GOAWAY names the last.
 * Event loop only.
 */
final class GoAway {
  /** How long the PING may take; gRPC allows the same, times two. */
  private static final Duration PING_TIMEOUT = Duration.ofSeconds(5);

  /** {@code lastcall}, in ASCII. */
  private static final long PING = 0x6c61737463616c6cL;

  private enum State {
    SERVING,
    ANNOUNCED,
    FINAL
  }

  private final ChannelHandlerContext ctx;
  private final Runnable whenFinal;
  private State state = State.SERVING;
  private @Nullable Future<?> timeout;

  /**
   * @param whenFinal run once, when the client knows which streams are served
   */
  GoAway(ChannelHandlerContext ctx, Runnable whenFinal) {
    this.ctx = ctx;
    this.whenFinal = whenFinal;
  }

  boolean isFinal() {
    return state == State.FINAL;
  }

  /** Takes the first step; does nothing the second time. */
  void announce() {
    if (state != State.SERVING || !ctx.channel().isActive()) {
      return;
    }
    state = State.ANNOUNCED;
    ctx.write(
        new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
    ctx.writeAndFlush(new DefaultHttp2PingFrame(PING));
    timeout = ctx.executor().schedule(this::finish, PING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Returns whether {@code ping} was the answer to ours, and then takes the second step. */
  boolean isAnsweredBy(Http2PingFrame ping) {
    if (!ping.ack() || ping.content() != PING || state == State.SERVING) {
      return false;
    }
    finish();
    return true;
  }

  private void finish() {
    if (state == State.FINAL) {
      return;
    }
    state = State.FINAL;
    cancel();
    ctx.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR, Unpooled.EMPTY_BUFFER))
        .addListener(sent -> whenFinal.run());
  }

  /** The connection is gone. */
  void cancel() {
    if (timeout != null) {
      timeout.cancel(false);
    }
  }
}
