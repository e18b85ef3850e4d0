package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.WebSocketContract;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.websocket.server.ServerEndpointConfig;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;

class JettyWebSocketTest extends WebSocketContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected WebSocketSessions sessions() {
    return new WebSocketSessions(
        container.connectionControl.connections(), container.server::currentConnection);
  }

  @Override
  protected void add(ServerEndpointConfig endpoint) {
    JakartaWebSocketServletContainerInitializer.configure(
        container.context, (servlets, server) -> server.addEndpoint(endpoint));
  }
}
