package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;

import io.lastcall.servlet.contract.WebSocketContract;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.testing.RawClient;
import jakarta.websocket.server.ServerEndpointConfig;
import java.nio.channels.SelectionKey;
import java.util.Objects;
import org.eclipse.jetty.io.ManagedSelector;
import org.junit.jupiter.api.Test;

class JettyWebSocketTest extends WebSocketContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected WebSocketSessions sessions() {
    return new WebSocketSessions(container.connectionControl.connections());
  }

  @Override
  protected void add(ServerEndpointConfig endpoint) {
    container.application.addEndpoint(endpoint);
  }

  @Test
  void closeAll_clientTakesNothingIn_isGivenUpOnAndHoldsUpNobody() throws Exception {
    assertThatAFullClientHoldsUpNobody();
  }

  /** Its key is ready for a write from the FIN on, and nobody writes any more. */
  @Test
  void close_writePending_leavesTheSelectorAlone() throws Exception {
    container.leave();
    try (RawClient client = openRaw()) {
      fill(client);
      DrainingEndPoint endPoint = container.connector.endPoints().iterator().next();
      await().until(() -> isSelectedForWriting(endPoint));
      // Nothing else ends the lingering.
      container.connector.getScheduler().stop();
      endPoint.close();
      await().until(() -> !isSelectedForWriting(endPoint));
    }
  }

  private boolean isSelectedForWriting(DrainingEndPoint endPoint) {
    return container.connector.getSelectorManager().getBeans(ManagedSelector.class).stream()
        .map(selector -> endPoint.getChannel().keyFor(selector.getSelector()))
        .filter(Objects::nonNull)
        .anyMatch(key -> (key.interestOps() & SelectionKey.OP_WRITE) != 0);
  }
}
