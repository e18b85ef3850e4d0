package io.lastcall.netty;

/**
 * A user event, fired through the pipeline of an event stream on HTTP/1.1 when it is told to end
 * (one on HTTP/2 is just ended, as its connection is not for it to close). A handler may write its
 * last events, and the {@code LastHttpContent}, from within {@code userEventTriggered}; where it
 * does not, the adapter ends the response itself as soon as the event has passed. Either way the
 * connection ends behind it. To a handler with an executor group of its own the event comes too
 * late for a last word.
 *
 * <p>Fired once for each stream, on its event loop.
 */
public final class StreamEnding {
  static final StreamEnding EVENT = new StreamEnding();

  private StreamEnding() {}

  @Override
  public String toString() {
    return "StreamEnding";
  }
}
