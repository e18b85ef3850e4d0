package io.lastcall.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionHandler;

/**
 * A connection that no handler of ours counts, or none yet: first in its pipeline, and behind TLS
 * once that is there. Removes itself when one of ours has come. Where none comes, it stays from the
 * client's first bytes on, and sees whether the drain cuts what they have begun. Bytes of a TLS
 * handshake, of a PROXY header and of HTTP/2's preface begin nothing.
 */
final class Uncounted extends ChannelDuplexHandler {
  private final TrackedConnection connection;
  private final Beginning beginning = new Beginning();

  /** The client has sent more than what comes in front of a request. */
  private boolean begun;

  Uncounted(TrackedConnection connection) {
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    begun = begun || !(message instanceof ByteBuf bytes) || beginning.isOverWith(bytes);
    ctx.fireChannelRead(message);
  }

  /** It would not see the read where the application adds an SslHandler before all others. */
  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    connection.heard();
    if (connection.isCounted()) {
      ctx.pipeline().remove(this);
    } else if (BehindTls.isAwaited(ctx, () -> new Uncounted(connection))) {
      begun = false;
    } else if (begun) {
      connection.markUncounted();
    }
    ctx.fireChannelReadComplete();
  }

  /** Not called where the client closes the connection: Netty then closes the channel itself. */
  @Override
  public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
    if (begun && !isIdleHttp2(ctx)) {
      connection.closedByServer();
    }
    ctx.close(promise);
  }

  /** Frameworks with a codec of their own for HTTP/2 build it on Netty's handler, which counts. */
  private static boolean isIdleHttp2(ChannelHandlerContext ctx) {
    if (!Placement.HTTP2) {
      return false;
    }
    Http2ConnectionHandler codec = ctx.pipeline().get(Http2ConnectionHandler.class);
    return codec != null && codec.connection().numActiveStreams() == 0;
  }
}
