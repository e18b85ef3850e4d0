package io.lastcall.servlet;

import io.lastcall.connection.Connections.Registration;
import java.io.IOException;
import java.util.concurrent.CompletionStage;

/**
 * A connection that has left HTTP, as its container's adapter knows it: what a WebSocket session
 * stands on, and says nothing of itself. Thread-safe.
 */
public interface UpgradedConnection {
  /** Completes when the connection is gone, on a thread of the container's. */
  CompletionStage<?> ended();

  /** DRAIN need not wait any more for what is being opened on the connection. */
  void opened();

  /** Has {@code session}, which stands on the connection, end with it. */
  default void carries(Registration session) {
    ended().whenComplete((nothing, failure) -> session.closed());
    opened();
  }

  /**
   * Has {@code close} run, which writes a close frame: by default at once, on this thread. It must
   * not wait there for a client that takes nothing in.
   *
   * @throws IOException from {@code close}, where that has run
   */
  default void tell(Close close) throws IOException {
    close.run();
  }

  /** Writes a close frame. */
  @FunctionalInterface
  interface Close {
    /** Maybe waits until the frame has left. */
    void run() throws IOException;
  }
}
