package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.Probes;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http.HttpExpectationFailedEvent;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.Map;

/**
 * Sits right behind the HTTP/1.1 codec of one channel, and passes what it sees to {@link
 * Http1Connection}.
 *
 * <p>Once responses may say close, what the application writes from within {@code channelRead} is
 * held until the read is complete. A response does not know whether more pipelined requests are in
 * the buffer that is being decoded; held, the last of them can say close, and none is lost. A flush
 * is not held, which would cost every request a call: what was held is flushed in any case. Nor is
 * the head behind which the connection is not HTTP any more: its writer may take the codec out at
 * once. What is held counts for the channel's writability, as if it were in its buffer.
 */
final class Http1Handler extends ChannelDuplexHandler {
  /** Among those that users may give a meaning to, 1 to 31; the last one is the least likely. */
  private static final int WRITABILITY = 31;

  private final RequestGate gate;
  private final Probes probes;
  private final Connections connections;
  private final WebSocketCloseStatus webSocketEnd;
  private final HeldWrites held = new HeldWrites();

  /** By the channel's own estimate. */
  private long heldBytes;

  /** More is held than the channel may buffer: who writes what it can has to stop. */
  private boolean full;

  /** Between the first message of a read and its completion. */
  private boolean reading;

  /**
   * The connection's first read is over. A handler that decides on the protocol leaves the pipeline
   * within that read, and makes a second completion of it: no part of a request is behind the whole
   * one that came with the first.
   */
  private boolean settled;

  /** The read that is going on, if any, has brought the end of a TLS handshake. */
  private boolean shakingHands;

  @SuppressWarnings("NullAway.Init") // by handlerAdded, before any event
  private Http1Connection http;

  Http1Handler(
      RequestGate gate, Probes probes, Connections connections, WebSocketCloseStatus webSocketEnd) {
    this.gate = gate;
    this.probes = probes;
    this.connections = connections;
    this.webSocketEnd = webSocketEnd;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    refuseElsewhere(ctx);
    http = new Http1Connection(ctx, gate, probes, connections, webSocketEnd);
    TrackedConnection.of(ctx).speaks(http);
  }

  /** It would see no request, or count each twice. */
  private static void refuseElsewhere(ChannelHandlerContext ctx) {
    boolean inFront = true;
    boolean behindCodec = false;
    for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
      ChannelHandler handler = entry.getValue();
      if (handler == ctx.handler()) {
        inFront = false;
      } else if (handler instanceof Http1Handler) {
        throw misplaced(ctx);
      } else {
        behindCodec |= inFront && isCodec(handler);
      }
    }
    if (!behindCodec) {
      throw misplaced(ctx);
    }
  }

  private static boolean isCodec(ChannelHandler handler) {
    return handler instanceof HttpServerCodec || handler instanceof HttpObjectDecoder;
  }

  private static IllegalStateException misplaced(ChannelHandlerContext ctx) {
    return Misplaced.handler(ctx, "one, right behind the HttpServerCodec or HttpRequestDecoder");
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    reading = http.isHttp();
    http.read(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!reading && !shakingHands && (settled || http.isUnused())) {
      http.readNothing();
    }
    if (!settled) {
      ctx.executor().execute(() -> settled = true);
    }
    readingDone(ctx);
    ctx.fireChannelReadComplete();
  }

  private void readingDone(ChannelHandlerContext ctx) {
    reading = false;
    releaseHeld(ctx);
  }

  private void releaseHeld(ChannelHandlerContext ctx) {
    if (!held.isEmpty()) {
      heldBytes = 0;
      held.release(http::write);
      ctx.flush();
      full(ctx, false);
    }
  }

  private void hold(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ChannelConfig config = ctx.channel().config();
    heldBytes += config.getMessageSizeEstimator().newHandle().size(message);
    held.add(message, promise);
    full(ctx, heldBytes > config.getWriteBufferHighWaterMark());
  }

  private void full(ChannelHandlerContext ctx, boolean now) {
    ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
    if (full != now && buffer != null) {
      full = now;
      buffer.setUserDefinedWritability(WRITABILITY, !now);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    boolean first = held.isEmpty();
    if (first && !(reading && gate.mayCloseConnections())) {
      http.write(message, promise);
    } else if (http.isUpgrade(message)) {
      readingDone(ctx);
      http.write(message, promise);
    } else {
      hold(ctx, message, promise);
      if (first) {
        // Should no completion follow: handlers before us may hand on requests one by one.
        ctx.executor().execute(() -> readingDone(ctx));
      }
    }
  }

  /** What was written before is sent before, as without us. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    releaseHeld(ctx);
    ctx.close(promise);
  }

  @Override
  public void disconnect(ChannelHandlerContext ctx, ChannelPromise promise) {
    releaseHeld(ctx);
    ctx.disconnect(promise);
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslHandshakeCompletionEvent) {
      http.handshakeDone();
      shakingHands = true;
      ctx.executor().execute(() -> shakingHands = false);
    } else if (event instanceof HttpExpectationFailedEvent) {
      http.expectationFailed();
    }
    ctx.fireUserEventTriggered(event);
    if (event instanceof ChannelInputShutdownEvent) {
      http.inputShutdown();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    abandon(ctx);
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    abandon(ctx);
  }

  private void abandon(ChannelHandlerContext ctx) {
    held.fail();
    full(ctx, false);
    // Null where the handler could not be added.
    if (http != null) {
      http.abandon();
    }
  }
}
