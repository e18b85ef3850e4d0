package io.lastcall.servlet.orders;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.util.concurrent.CompletableFuture;

/** Says which sessions it has. */
@ServerEndpoint("/orders")
public final class OrderSocket {
  /** Completed as the application starts. */
  static final CompletableFuture<WebSocketSessions> SESSIONS = new CompletableFuture<>();

  @OnOpen
  public void opened(Session session) {
    SESSIONS.join().opened(session);
  }

  @OnClose
  public void closed(Session session) {
    SESSIONS.join().closed(session);
  }
}
