package io.lastcall.examples.jetty;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /ws}: WebSocket echo; each session is registered while it is open. Public for Jetty. */
public final class Echo extends Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Echo.class);

  private final WebSocketSessions sessions;

  private Echo(WebSocketSessions sessions) {
    this.sessions = sessions;
  }

  static void deploy(ServletContextHandler context, WebSocketSessions sessions) {
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servlets, container) -> add(container, sessions));
  }

  private static void add(ServerContainer container, WebSocketSessions sessions)
      throws DeploymentException {
    ServerEndpointConfig.Configurator instances =
        new ServerEndpointConfig.Configurator() {
          @Override
          public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new Echo(sessions));
          }
        };
    container.addEndpoint(
        ServerEndpointConfig.Builder.create(Echo.class, "/ws").configurator(instances).build());
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
