package io.lastcall.netty.reactor;

import io.lastcall.netty.NettyDrain;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.CleartextHttp2ServerUpgradeHandler;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;

/**
 * Puts the library's handler right behind the codec of a connection that may turn out to speak
 * HTTP/1.1 or HTTP/2. With TLS the handshake tells, by ALPN. Without, the first message does, or
 * part of a first head: by then Reactor Netty has exchanged the codec if the client began with
 * HTTP/2's preface (RFC 9113, section 3.3).
 */
final class CodecChoice extends ChannelDuplexHandler {
  private static final CharSequence WEBSOCKET = HttpHeaderValues.WEBSOCKET;

  private final NettyDrain drain;
  private boolean placed;

  private CodecChoice(NettyDrain drain) {
    this.drain = drain;
  }

  /** For {@code HttpServer.doOnChannelInit}: Reactor Netty's own handlers are there by then. */
  static void behindCodec(ChannelPipeline pipeline, NettyDrain drain) {
    ChannelHandlerContext negotiation =
        pipeline.context(ApplicationProtocolNegotiationHandler.class);
    if (negotiation == null) {
      place(pipeline, drain);
    } else {
      pipeline.addAfter(negotiation.name(), "lastcall-negotiated", new Negotiated(drain));
    }
  }

  /** Reactor Netty has added the codec when the handshake's end comes past it. */
  private static final class Negotiated extends ChannelInboundHandlerAdapter {
    private final NettyDrain drain;

    Negotiated(NettyDrain drain) {
      this.drain = drain;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof SslHandshakeCompletionEvent handshake) {
        ChannelPipeline pipeline = ctx.pipeline();
        pipeline.remove(this);
        if (handshake.isSuccess()) {
          place(pipeline, drain);
        }
      }
      ctx.fireUserEventTriggered(event);
    }
  }

  private static void place(ChannelPipeline pipeline, NettyDrain drain) {
    ChannelHandlerContext http2 = pipeline.context(Http2FrameCodec.class);
    if (http2 != null) {
      pipeline.addAfter(http2.name(), "lastcall", drain.http2Handler());
      return;
    }
    CodecChoice choice = new CodecChoice(drain);
    pipeline.addAfter(pipeline.context(HttpServerCodec.class).name(), "lastcall-choice", choice);
    if (pipeline.get(SslHandler.class) != null) {
      // There is none left, and the handler is to see that the handshake is over.
      choice.place(pipeline.context(choice), drain.httpHandler());
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!placed) {
      place(ctx, message instanceof Http2Frame ? drain.http2Handler() : drain.httpHandler());
    }
    if (message instanceof HttpRequest request) {
      ignoreH2c(request.headers());
    }
    ctx.fireChannelRead(message);
  }

  /** RFC 9113 has given up this way into HTTP/2; a server may ignore it. */
  private static void ignoreH2c(HttpHeaders headers) {
    if (headers.containsValue(HttpHeaderNames.UPGRADE, "h2c", true)) {
      boolean other = headers.containsValue(HttpHeaderNames.UPGRADE, WEBSOCKET, true);
      headers.remove(HttpHeaderNames.UPGRADE);
      if (other) {
        headers.set(HttpHeaderNames.UPGRADE, WEBSOCKET);
      }
    }
  }

  /** Nothing came of what was read: the handler is to know that a request has begun. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    if (!placed && isHttp1(ctx.pipeline())) {
      place(ctx, drain.httpHandler());
    }
    ctx.fireChannelReadComplete();
  }

  /** Not while what was read may be part of the preface. */
  private static boolean isHttp1(ChannelPipeline pipeline) {
    return pipeline.get(CleartextHttp2ServerUpgradeHandler.class) == null
        && pipeline.get(HttpServerCodec.class) != null;
  }

  private void place(ChannelHandlerContext ctx, ChannelHandler handler) {
    placed = true;
    ctx.pipeline().addAfter(ctx.name(), "lastcall", handler);
  }

  /**
   * Reactor Netty reads on demand, and up to 1.3.7 forgets to behind a pipelined request that it
   * has queued and that is answered at once (reactor-netty#4361).
   */
  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (message instanceof LastHttpContent) {
      ctx.write(message, promise.unvoid().addListener(sent -> ctx.read()));
    } else {
      ctx.write(message, promise);
    }
  }
}
