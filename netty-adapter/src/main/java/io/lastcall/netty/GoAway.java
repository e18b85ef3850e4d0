package io.lastcall.netty;

import io.lastcall.spi.Http2Leaving;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2GoAwayFrame;
import io.netty.handler.codec.http2.DefaultHttp2PingFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Leaves an HTTP/2 connection in the two steps of RFC 9113, section 6.8. The first GOAWAY names the
 * highest stream there can be: the client opens no more, but those on the wire are served. When the
 * answer to a PING sent after it arrives, the client has seen it; the final GOAWAY names the last
 * stream.
 *
 * <p>The second step ends the connection, and is taken only at the last call. The JDK's client
 * drops at the FIN the received bytes that its application has not read yet. And one of its threads
 * may answer the PING while another opens a stream that was assigned to the connection before.
 * Event loop only.
 */
final class GoAway {
  /** How long the PING may take: half of what gRPC allows. */
  private static final Duration PING_TIMEOUT = Duration.ofSeconds(5);

  private enum State {
    SERVING,
    ANNOUNCED,
    ANSWERED,
    FINAL
  }

  private final ChannelHandlerContext ctx;
  private final TrackedConnection connection;
  private final Runnable whenFinal;
  private State state = State.SERVING;
  private @Nullable Future<?> timeout;

  /**
   * @param whenFinal run once, when the client knows which streams are served
   */
  GoAway(ChannelHandlerContext ctx, TrackedConnection connection, Runnable whenFinal) {
    this.ctx = ctx;
    this.connection = connection;
    this.whenFinal = whenFinal;
  }

  boolean isFinal() {
    return state == State.FINAL;
  }

  /** Takes the first step. Returns false if there is no connection yet, or any more. */
  boolean begin() {
    if (!ctx.channel().isActive()) {
      return false;
    }
    state = State.ANNOUNCED;
    ctx.write(
        new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR).setExtraStreamIds(Integer.MAX_VALUE));
    ctx.writeAndFlush(new DefaultHttp2PingFrame(Http2Leaving.PING));
    timeout =
        ctx.executor().schedule(this::answered, PING_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    return true;
  }

  /** Returns whether a PING that came back, with {@code content}, was ours. */
  boolean isAnsweredBy(long content) {
    if (content != Http2Leaving.PING || state == State.SERVING) {
      return false;
    }
    answered();
    return true;
  }

  /** The PING's answer has arrived, or {@link #PING_TIMEOUT} has elapsed. */
  private void answered() {
    if (state == State.ANNOUNCED) {
      state = State.ANSWERED;
      cancel();
      finishIfTime();
    }
  }

  /** Takes the second step at the last call, if the first one is answered. */
  void finishIfTime() {
    if (state == State.ANSWERED && connection.isLastCall()) {
      state = State.FINAL;
      ctx.writeAndFlush(new DefaultHttp2GoAwayFrame(Http2Error.NO_ERROR, Unpooled.EMPTY_BUFFER))
          .addListener(sent -> whenFinal.run());
    }
  }

  /** The connection is gone. */
  void cancel() {
    if (timeout != null) {
      timeout.cancel(false);
    }
  }
}
