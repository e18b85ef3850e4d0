package io.lastcall.connection;

/** An open connection of a {@link DrainableServer} that may carry another request. */
public interface HttpConnection {

  /**
   * Half-closes the connection if it is idle: no request running, none arrived. Does nothing if it
   * is busy: its response says {@code Connection: close} by then. Must not block, and may do its
   * work on another thread.
   */
  void closeIfIdle();
}
