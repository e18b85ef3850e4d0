package io.lastcall.netty;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpExpectationFailedEvent;
import io.netty.handler.codec.http.HttpObjectDecoder;
import io.netty.handler.codec.http.HttpObjectEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.stream.ChunkedWriteHandler;
import java.util.Map;

/**
 * The handler right after the HTTP/1.1 codec of one channel; passes its events to {@link
 * Http1Connection}.
 */
final class Http1Handler extends ChannelDuplexHandler {
  private final NettyDrain drain;

  @SuppressWarnings("NullAway.Init") // by handlerAdded, before any event
  private Http1Connection http;

  Http1Handler(NettyDrain drain) {
    this.drain = drain;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    refuseElsewhere(ctx);
    http = new Http1Connection(ctx, drain);
    TrackedConnection.of(ctx).speaks(http);
  }

  /** Elsewhere it would miss requests or the ends of responses, or count them twice. */
  private static void refuseElsewhere(ChannelHandlerContext ctx) {
    boolean inFront = true;
    boolean behindDecoder = false;
    boolean behindEncoder = false;
    for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
      ChannelHandler handler = entry.getValue();
      if (handler == ctx.handler()) {
        inFront = false;
      } else if (handler instanceof Http1Handler
          || (inFront && behindEncoder && handler instanceof ChunkedWriteHandler)) {
        throw misplaced(ctx);
      } else if (inFront) {
        boolean codec = handler instanceof HttpServerCodec;
        behindDecoder |= codec || handler instanceof HttpObjectDecoder;
        behindEncoder |= codec || handler instanceof HttpObjectEncoder;
      }
    }
    if (!behindDecoder || !behindEncoder) {
      throw misplaced(ctx);
    }
  }

  private static IllegalStateException misplaced(ChannelHandlerContext ctx) {
    return Misplaced.handler(
        ctx,
        "one, right behind the HttpServerCodec, or behind both HttpRequestDecoder and"
            + " HttpResponseEncoder, and in front of a ChunkedWriteHandler");
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    http.read(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    http.readComplete();
    ctx.fireChannelReadComplete();
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    http.write(message, promise);
  }

  /**
   * After our close_notify OpenSSL's engine reports any input as the peer's close_notify. Reactor
   * Netty would close the connection on that event, and the reset would take from the peer the
   * bytes that it has not read yet.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event == SslCloseCompletionEvent.SUCCESS && http.hasEnded()) {
      return;
    }
    if (event instanceof SslHandshakeCompletionEvent) {
      http.handshakeDone();
    } else if (event instanceof HttpExpectationFailedEvent) {
      http.expectationFailed();
    }
    ctx.fireUserEventTriggered(event);
    // With TLS the peer's close_notify, whether or not a FIN follows.
    if (event instanceof ChannelInputShutdownEvent || event == SslCloseCompletionEvent.SUCCESS) {
      http.inputShutdown();
    }
  }

  /**
   * The codec expects a response to each request, also to those that we drop, and fails after 128
   * of them. An application would close the connection on that exception, and the reset would take
   * from the peer the bytes that it has not read yet.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof DecoderException && http.dropsWhatComes())) {
      ctx.fireExceptionCaught(cause);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    abandon();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    abandon();
  }

  private void abandon() {
    // Null where the handler could not be added.
    if (http != null) {
      http.abandon();
    }
  }
}
