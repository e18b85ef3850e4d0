package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.stream.ChunkedWriteHandler;

/**
 * The event streams of one HTTP/1.1 connection, and other responses without an end, one after the
 * other. Event loop only.
 */
final class EventStreams {
  private final ChannelHandlerContext ctx;
  private final NettyDrain drain;
  private final TrackedConnection connection;
  private final Exchanges exchanges;
  private final Http1Connection http;

  EventStreams(
      ChannelHandlerContext ctx, NettyDrain drain, Exchanges exchanges, Http1Connection http) {
    this.ctx = ctx;
    this.drain = drain;
    this.connection = TrackedConnection.of(ctx);
    this.exchanges = exchanges;
    this.http = http;
  }

  /** The response to {@code exchange}, whose head is being written, is one. */
  void begin(Exchange exchange, String kind) {
    exchange.release();
    exchange.stream =
        LongLived.register(drain.connections, kind, ctx, () -> end(exchange), ctx::close);
    if (exchange.next == null) {
      connection.nothingOwed();
    } else {
      endIfInFront();
    }
  }

  /**
   * A request that is pipelined after an event stream gets its answer only when the stream ends. So
   * during a shutdown the stream ends at once.
   */
  void endIfInFront() {
    Exchange exchange = exchanges.first();
    if (exchange == null || exchange.stream == null || exchange.next == null) {
      return;
    }
    connection.owesAgain();
    if (drain.gate.isEnding()) {
      exchange.stream.close();
    }
  }

  private void end(Exchange exchange) {
    if (exchanges.first() != exchange) {
      return;
    }
    http.closeAfterLast();
    ctx.fireUserEventTriggered(new LeavingEvent.StreamEnding());
    if (exchanges.first() == exchange) {
      // Through the whole pipeline: a compressor there has an end of its own to write.
      ctx.channel().write(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    ChannelHandlerContext chunks = ctx.pipeline().context(ChunkedWriteHandler.class);
    if (exchanges.first() == exchange && chunks != null) {
      // It keeps the end back while its input has nothing to send.
      chunks.write(LastHttpContent.EMPTY_LAST_CONTENT);
    }
    ctx.channel().flush();
  }
}
