package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.WebSocketContract;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;

class UndertowWebSocketTest extends WebSocketContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  @Override
  protected WebSocketSessions sessions() {
    return new WebSocketSessions(
        container.connectionControl.connections(), container.server::currentConnectionEnded);
  }

  @Override
  protected void add(ServerEndpointConfig endpoint) {
    container.deployment.addServletContextAttribute(
        WebSocketDeploymentInfo.ATTRIBUTE_NAME,
        new WebSocketDeploymentInfo()
            .setBuffers(new DefaultByteBufferPool(false, 8192))
            .setDispatchToWorkerThread(true)
            .addEndpoint(endpoint));
  }
}
