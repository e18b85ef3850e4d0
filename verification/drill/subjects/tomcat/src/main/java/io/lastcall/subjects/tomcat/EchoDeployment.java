package io.lastcall.subjects.tomcat;

import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Echo;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import org.apache.catalina.Context;
import org.apache.tomcat.websocket.server.WsSci;

/** {@code /ws}: WebSocket echo. */
final class EchoDeployment {
  private EchoDeployment() {}

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
}
