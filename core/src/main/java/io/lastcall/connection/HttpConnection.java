package io.lastcall.connection;

/**
 * An open connection of a {@link DrainableServer} that may carry another request. No method may
 * block; each may do its work on another thread.
 */
public interface HttpConnection {

  /**
   * Half-closes the connection if it is idle: no request runs or has arrived, and its first one is
   * not awaited ({@link io.lastcall.spi.FirstRequest}). Does nothing if it is busy: its response
   * says {@code Connection: close} by then. May be called again.
   */
  void closeIfIdle();

  /**
   * As {@link #closeIfIdle()}, for a connection whose client {@link #announceClose()} does not ask
   * to leave. Does nothing where it does, as in HTTP/2: to ask again may cost active streams. The
   * default is {@link #closeIfIdle()}.
   */
  default void closeIfIdleAndUnannounced() {
    closeIfIdle();
  }

  /**
   * Asks the client to open its next connection elsewhere, while this one is served on: HTTP/2's
   * first GOAWAY (RFC 9113, section 6.8). Called once, in the first half of KEEP_SERVING or in
   * DRAIN, when it may wait for a moment without a request; and again, every half second, in the
   * last quarter of DRAIN, when it may not. Does nothing where responses say so themselves, as in
   * HTTP/1.1: the default.
   */
  default void announceClose() {}

  /**
   * Ends the connection after DRAIN has timed out: answers 503 with {@code Connection: close} if a
   * request runs, its response has not begun and the server allows that, then closes. The default
   * is {@link #closeIfIdle()}.
   */
  default void forceClose() {
    closeIfIdle();
  }

  /**
   * Returns whether a response that belongs to no request in flight is, or may be, on its way: the
   * rest of one whose handler is done, an error page of the server, the answer to a request that
   * nothing counts, or work that {@link #closeIfIdle} has left to a busy event loop. DRAIN waits
   * for it as for a request. The default is false, for servers whose permits last until the
   * response is sent.
   */
  default boolean isAnswering() {
    return false;
  }
}
