package io.lastcall.connection;

/** An open connection of a {@link DrainableServer} that may carry another request. */
public interface HttpConnection {

  /**
   * Half-closes the connection if it is idle: no request running, none arrived, and the {@link
   * FirstRequest} not awaited. Does nothing if it is busy: its response says {@code Connection:
   * close} by then. May be called again. Must not block, and may do its work on another thread.
   */
  void closeIfIdle();

  /**
   * Asks the client to open its next connection elsewhere while this one is served on: HTTP/2's
   * first GOAWAY (RFC 9113, section 6.8). Called in the first half of KEEP_SERVING, spread over it,
   * when it may wait for a moment without a request; and again, by {@link #closeIfIdle} or every
   * half second of DRAIN, when it may not. Does nothing where responses say so themselves, as in
   * HTTP/1.1: the default. Must not block, and may do its work on another thread.
   */
  default void announce() {}

  /**
   * The drain has timed out with a request still running here. Answers 503 with {@code Connection:
   * close} if the response has not begun and the server allows that, then closes; an idle
   * connection is half-closed. Must not block, and may do its work on another thread. The default
   * is {@link #closeIfIdle()}.
   */
  default void giveUp() {
    closeIfIdle();
  }

  /**
   * Returns whether a response is on its way that is no request in flight any more: its handler was
   * done before the shutdown began, and the client has yet to take the rest of it; or the server is
   * making an error page, which nobody counts. Or whether one may be: what {@link #closeIfIdle}
   * asks for waits for an event loop that does something else. The drain waits for it as for a
   * request. Must be quick and must not block. The default is false, for servers whose permits last
   * until the response has left.
   */
  default boolean isAnswering() {
    return false;
  }
}
