package io.lastcall.subjects.undertow;

import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Echo;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.server.ServerEndpointConfig;

/** {@code /ws}: WebSocket echo. */
final class EchoDeployment {
  private static final int BUFFER_SIZE = 8192;

  private EchoDeployment() {}

  static void deploy(DeploymentInfo deployment, WebSocketSessions sessions) {
    ServerEndpointConfig.Configurator instances =
        new ServerEndpointConfig.Configurator() {
          @Override
          public <T> T getEndpointInstance(Class<T> type) {
            return type.cast(new Echo(sessions));
          }
        };
    WebSocketDeploymentInfo webSockets =
        new WebSocketDeploymentInfo()
            .setBuffers(new DefaultByteBufferPool(true, BUFFER_SIZE))
            .setDispatchToWorkerThread(true);
    webSockets.addEndpoint(
        ServerEndpointConfig.Builder.create(Echo.class, "/ws").configurator(instances).build());
    deployment.addServletContextAttribute(WebSocketDeploymentInfo.ATTRIBUTE_NAME, webSockets);
  }
}
