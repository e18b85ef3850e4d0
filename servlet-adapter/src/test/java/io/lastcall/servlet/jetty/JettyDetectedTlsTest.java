package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.HeldBackSocket;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.DetectorConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.junit.jupiter.api.Test;

/** TLS whose first bytes another connection has read: here Jetty's detector, or one for PROXY. */
class JettyDetectedTlsTest extends JettyTlsTest {
  @Override
  ConnectionFactory first(SslConnectionFactory tls) {
    return new DetectorConnectionFactory(tls);
  }

  /** As a hello with post-quantum keys does, which is longer than a segment. */
  @Test
  void drain_helloCameInTwoParts_idleConnectionEnds() throws Exception {
    HeldBackSocket network = new HeldBackSocket(container.port(), length -> length / 2);
    network.holdBack();
    CompletableFuture<RawClient> shaking = CompletableFuture.supplyAsync(() -> over(network));
    await().until(this::isTlsDetected);
    network.letGo();
    try (RawClient client = shaking.get()) {
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  private RawClient over(HeldBackSocket network) {
    try {
      return connect(network);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isTlsDetected() {
    return container.connector.endPoints().stream()
        .anyMatch(endPoint -> endPoint.getConnection() instanceof SslConnection);
  }
}
