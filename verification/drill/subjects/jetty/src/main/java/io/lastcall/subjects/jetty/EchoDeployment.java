package io.lastcall.subjects.jetty;

import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Echo;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;

/** {@code /ws}: WebSocket echo. */
final class EchoDeployment {
  private EchoDeployment() {}

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
}
