package io.lastcall.netty;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import java.util.Map;
import java.util.function.Supplier;

/** The place behind TLS, for a handler that was added before it was known whether there is any. */
final class BehindTls {
  private BehindTls() {}

  /**
   * Returns whether the handler of {@code ctx} reads TLS records. As soon as the SslHandler is
   * there, the handler leaves, and {@code next} comes after the SslHandler.
   */
  static boolean isAwaited(ChannelHandlerContext ctx, Supplier<ChannelHandler> next) {
    boolean inFront = false;
    for (Map.Entry<String, ChannelHandler> entry : ctx.pipeline()) {
      if (inFront && entry.getValue() instanceof SslHandler) {
        ctx.pipeline().addAfter(entry.getKey(), null, next.get());
        ctx.pipeline().remove(ctx.handler());
        return true;
      }
      // It is replaced by an SslHandler after the client's hello.
      if (inFront && entry.getValue() instanceof AbstractSniHandler) {
        return true;
      }
      inFront |= entry.getValue() == ctx.handler();
    }
    return false;
  }
}
