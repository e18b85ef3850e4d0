package io.lastcall.examples.tomcat;

import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.websocket.CloseReason;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.tomcat.websocket.server.WsSci;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /ws}: WebSocket echo; each session is registered while it is open. */
final class Echo extends Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Echo.class);

  private final WebSocketSessions sessions;

  private Echo(WebSocketSessions sessions) {
    this.sessions = sessions;
  }

  static void deploy(Context context, WebSocketSessions sessions) {
    context.addServletContainerInitializer(new WsSci(), null);
    context.addServletContainerInitializer((types, servlets) -> add(servlets, sessions), null);
  }

  private static void add(ServletContext servlets, WebSocketSessions sessions)
      throws ServletException {
    Object container = servlets.getAttribute(ServerContainer.class.getName());
    ServerEndpointConfig.Configurator instances =
        new ServerEndpointConfig.Configurator() {
          @Override
          public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new Echo(sessions));
          }
        };
    try {
      ((ServerContainer) container)
          .addEndpoint(
              ServerEndpointConfig.Builder.create(Echo.class, "/ws")
                  .configurator(instances)
                  .build());
    } catch (DeploymentException e) {
      throw new ServletException(e);
    }
  }

  /** Tomcat runs filters, its WebSocket one too, only in front of a servlet; this answers 405. */
  static final class NoWebSocket extends HttpServlet {
    private static final long serialVersionUID = 1L;
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
