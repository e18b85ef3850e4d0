package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.contract.WebSocketContract;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.testing.WebSocketClient;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;

class UndertowWebSocketTest extends WebSocketContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  @Override
  protected WebSocketSessions sessions() {
    return new WebSocketSessions(
        container.connectionControl.connections(), container.server::currentConnection);
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

  @Test
  void session_onAnotherDrainedServer_isDeregistered() throws Exception {
    UndertowServer other = new UndertowServer(container.worker, container.filter, OptionMap.EMPTY);
    WebSocketClient one = new WebSocketClient(container.startOn(other));
    assertEquals("hello", one.exchange("hello"));
    assertEquals(1, open());
    one.close();
    await().until(() -> open() == 0);
  }
}
