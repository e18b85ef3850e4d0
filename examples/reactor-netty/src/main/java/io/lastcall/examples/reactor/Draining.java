package io.lastcall.examples.reactor;

import io.lastcall.netty.NettyDrain;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.Http2Frame;

/**
 * Puts the library's handler right behind the codec of a connection without TLS that may turn out
 * to speak HTTP/1.1 or HTTP/2. The first message tells: by then Reactor Netty has exchanged the
 * codec if the client began with HTTP/2's preface (RFC 9113, section 3.3).
 */
final class Draining extends ChannelDuplexHandler {
  private final NettyDrain drain;
  private boolean placed;

  private Draining(NettyDrain drain) {
    this.drain = drain;
  }

  /** For {@code HttpServer.doOnChannelInit}: Reactor Netty's own handlers are there by then. */
  static void behindCodec(ChannelPipeline pipeline, NettyDrain drain) {
    String codec = pipeline.context(HttpServerCodec.class).name();
    pipeline.addAfter(codec, "lastcall-choice", new Draining(drain));
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!placed) {
      placed = true;
      boolean http2 = message instanceof Http2Frame;
      ctx.pipeline()
          .addAfter(ctx.name(), "lastcall", http2 ? drain.http2Handler() : drain.httpHandler());
    }
    if (message instanceof HttpRequest request
        && request.headers().contains(HttpHeaderNames.UPGRADE, "h2c", true)) {
      // RFC 9113 has given up this way into HTTP/2; a server may ignore it.
      request.headers().remove(HttpHeaderNames.UPGRADE);
    }
    ctx.fireChannelRead(message);
  }

  /**
   * Reactor Netty reads on demand, and up to 1.3.8 at least forgets to behind a pipelined request
   * that it has queued and that is answered at once (reactor-netty#4361).
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
