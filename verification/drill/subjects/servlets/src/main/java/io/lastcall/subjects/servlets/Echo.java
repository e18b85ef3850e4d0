package io.lastcall.subjects.servlets;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** WebSocket echo; each session is registered while it is open. */
public final class Echo extends Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Echo.class);

  private final WebSocketSessions sessions;

  /** Creates an endpoint that registers with {@code sessions}. */
  public Echo(WebSocketSessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public void onOpen(Session session, EndpointConfig config) {
    sessions.opened(session);
    MessageHandler.Whole<String> echo = text -> send(session, text);
    session.addMessageHandler(String.class, echo);
  }

  /** A message that crossed the close frame gets no answer; that is no failure of this handler. */
  private static void send(Session session, String text) {
    try {
      session.getBasicRemote().sendText(text);
    } catch (IOException | IllegalStateException failure) {
      log.debug("Not sent; the session is closed", failure);
    }
  }

  @Override
  public void onClose(Session session, CloseReason reason) {
    sessions.closed(session);
  }
}
