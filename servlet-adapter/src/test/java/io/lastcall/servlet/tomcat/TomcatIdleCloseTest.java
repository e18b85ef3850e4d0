package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.contract.IdleCloseContract;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class TomcatIdleCloseTest extends IdleCloseContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Override
  protected TomcatFixture create(Supplier<FirstRequest> firstRequests) throws IOException {
    return new TomcatFixture(firstRequests);
  }

  @Override
  protected void startWithOneWorker() throws Exception {
    container.connector.setProperty("maxThreads", "1");
    container.start();
  }

  @Test
  void closeIfIdle_halfClosedAndInAnotherThreadsHand_waitsForNobody() throws Exception {
    container.start();
    // So early in so long a window no response says close.
    container.control.leave(Duration.ofDays(365));
    try (RawClient client = container.client()) {
      assertFalse(client.exchange("/plain").saysClose());
      container.server.stopListening(TomcatFixture.limit());
      container.endConnections().get();
      assertTrue(client.ended());
      Collection<? extends HttpConnection> halfClosed = container.server.connections();
      assertEquals(1, halfClosed.size());
      container.whileNobodyReads(
          () ->
              CompletableFuture.runAsync(() -> halfClosed.forEach(HttpConnection::closeIfIdle))
                  .get());
    }
  }
}
