package io.lastcall.servlet;

import java.util.concurrent.CompletionStage;

/**
 * A connection that has left HTTP, as its container's adapter knows it: what a WebSocket session
 * stands on, and says nothing of itself. Thread-safe.
 */
public interface UpgradedConnection {
  /** Completes when the connection is gone, on a thread of the container's. */
  CompletionStage<?> ended();

  /**
   * Returns whether no thread of the container's is known to be at work on it, so that a session
   * that has been closed here awaits nothing but its client. False where the container ends such a
   * connection by itself, and can. Must not block.
   */
  boolean isAtRest();
}
