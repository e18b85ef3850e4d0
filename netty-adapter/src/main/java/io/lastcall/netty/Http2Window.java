package io.lastcall.netty;

/**
 * What of a long-lived stream waits for a flow-control window (RFC 9113, section 5.2), the stream's
 * own or that of the connection. Netty keeps it out of the channel. Event loop only.
 */
final class Http2Window implements LongLived.Window {
  private final Http2Writer writer;
  private final Http2Exchange exchange;

  /** In bytes, from wherever the count began, what had left when it was looked at last. */
  private long left;

  Http2Window(Http2Writer writer, Http2Exchange exchange) {
    this.writer = writer;
    this.exchange = exchange;
  }

  /** A window that is shut again may have been open meanwhile: so what has left is counted. */
  @Override
  public boolean isStuck() {
    long before = left;
    left = exchange.granted - writer.window(exchange.id());
    return left == before && writer.awaitsWindow(exchange.id());
  }

  @Override
  public void reset() {
    writer.cancel(exchange.id());
  }
}
