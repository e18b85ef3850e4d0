package io.lastcall.examples.undertow;

import io.lastcall.servlet.websocket.WebSocketSessions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code /ws}: WebSocket echo; each session is registered while it is open. */
final class Echo extends Endpoint {
  private static final Logger log = LoggerFactory.getLogger(Echo.class);
  private static final int BUFFER_SIZE = 8192;

  private final WebSocketSessions sessions;

  private Echo(WebSocketSessions sessions) {
    this.sessions = sessions;
  }

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
