package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;

/**
 * A connection whose protocol has a codec of its own. For Lastcall's own adapters, such as {@code
 * lastcall-grpc}: it may change with any version. Event loop only.
 */
public final class ProtocolConnection {
  private final ChannelHandlerContext ctx;
  private final TrackedConnection connection;

  private ProtocolConnection(ChannelHandlerContext ctx) {
    this.ctx = ctx;
    connection = TrackedConnection.of(ctx);
  }

  /**
   * Registers {@code protocol}, which is asked for the connection's state and to end it. The server
   * role is {@link NettyDrain#server}.
   *
   * @param ctx a handler's that runs on the channel's event loop
   */
  public static ProtocolConnection speaks(ChannelHandlerContext ctx, Protocol protocol) {
    ProtocolConnection speaking = new ProtocolConnection(ctx);
    speaking.connection.speaks(protocol);
    return speaking;
  }

  /** Says that no request can come by the connection that the gate does not know of. */
  public void nothingOwed() {
    connection.nothingOwed();
  }

  /**
   * Half-closes the connection, and closes it, below the handler, when the peer has done so too or
   * has had 2 s for it. The handler drops what is read meanwhile.
   */
  public void halfClose() {
    ConnectionEnd.halfClose(ctx.channel(), () -> ctx.close());
  }
}
