package io.lastcall.servlet.websocket;

import org.jspecify.annotations.Nullable;

/**
 * Which connection a thread upgrades at the moment, if it is one of a connector that is drained:
 * the WebSocket session that is opened meanwhile stands on it. For Lastcall's own connectors and
 * those who open sessions. Thread-safe.
 */
public final class Upgrading {
  private static final ThreadLocal<WebSocketSessions.Connection> CURRENT = new ThreadLocal<>();

  private Upgrading() {}

  /** The calling thread begins to upgrade {@code connection}. */
  public static void begin(WebSocketSessions.Connection connection) {
    CURRENT.set(connection);
  }

  /** The calling thread is done with the upgrade. */
  public static void end() {
    CURRENT.remove();
  }

  /**
   * Returns the connection that the calling thread upgrades; null if it is none that is drained.
   */
  public static WebSocketSessions.@Nullable Connection connection() {
    return CURRENT.get();
  }
}
