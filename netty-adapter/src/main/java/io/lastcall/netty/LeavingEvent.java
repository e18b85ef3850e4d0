package io.lastcall.netty;

/**
 * A user event by which an application's own handlers take part in a shutdown. Fired through the
 * pipeline of one connection, from the adapter's handler on, on its event loop.
 */
public sealed interface LeavingEvent {

  /**
   * The client of the connection is asked to go elsewhere, and the connection served until it does.
   * Fired once, when a shutdown has begun: on HTTP/1.1 before the next response says {@code
   * Connection: close}, on HTTP/2 with the first GOAWAY, on a WebSocket right before the close
   * frame, so that a handler may write its last frames from within {@code userEventTriggered}. A
   * connection that is closed earlier, while idle or after such a response, gets none.
   */
  record ConnectionLeaving() implements LeavingEvent {}

  /**
   * The event stream on HTTP/1.1 is to end. (On HTTP/2 the adapter just ends the stream, since the
   * connection stays open.) A handler may write its last events, and the {@code LastHttpContent},
   * from within {@code userEventTriggered}; where it does not, the adapter ends the response itself
   * as soon as the event has passed. Either way the connection ends after it. To a handler with an
   * executor group of its own the event comes too late for a last word. Fired once for each stream.
   */
  record StreamEnding() implements LeavingEvent {}
}
