package io.lastcall.agent;

import jakarta.websocket.server.ServerEndpointConfig;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Embedded Jetty with an endpoint of {@code jakarta.websocket}. A second acceptor, by a system
 * property, is one that cannot be drained without loss.
 */
final class JettyWebSocketApplication {
  private JettyWebSocketApplication() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server();
    int acceptors = Boolean.getBoolean("coarse") ? 2 : 1;
    ServerConnector connector =
        new ServerConnector(server, acceptors, 1, new HttpConnectionFactory());
    server.addConnector(connector);
    ServletContextHandler application = new ServletContextHandler("/");
    JakartaWebSocketServletContainerInitializer.configure(
        application,
        (context, container) ->
            container.addEndpoint(
                ServerEndpointConfig.Builder.create(EchoEndpoint.class, "/ws").build()));
    server.setHandler(application);
    server.start();
    System.out.println("ready on port " + connector.getLocalPort());
  }
}
