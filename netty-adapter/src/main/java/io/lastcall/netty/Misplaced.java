package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;

/** A handler of ours where it would see nothing, or things twice. */
final class Misplaced {
  private Misplaced() {}

  /** Returns what to throw from {@code handlerAdded}: Netty takes the handler out again. */
  static IllegalStateException handler(ChannelHandlerContext ctx, String allowed) {
    return new IllegalStateException(
        "Handler '"
            + ctx.name()
            + "' was added to a pipeline of "
            + ctx.pipeline().names()
            + "; allowed is "
            + allowed);
  }
}
