package io.lastcall.agent.server;

import io.lastcall.servlet.websocket.WebSocketSessions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a thread upgrades to a WebSocket, where the server is exact. Set when a
 * server is added, before it accepts; any server of its kind knows all of them. Thread-safe.
 */
final class UpgradedConnection implements Supplier<WebSocketSessions.Connection> {
  static final UpgradedConnection TOMCAT = new UpgradedConnection();
  static final UpgradedConnection JETTY = new UpgradedConnection();

  private volatile @Nullable Supplier<WebSocketSessions.Connection> server;

  private UpgradedConnection() {}

  void askServer(Supplier<WebSocketSessions.Connection> exact) {
    server = exact;
  }

  /**
   * Returns the connection.
   *
   * @throws IllegalStateException if no exact server knows it
   */
  @Override
  public WebSocketSessions.Connection get() {
    Supplier<WebSocketSessions.Connection> known = server;
    if (known == null) {
      throw new IllegalStateException("No server of this kind is exact");
    }
    return known.get();
  }
}
