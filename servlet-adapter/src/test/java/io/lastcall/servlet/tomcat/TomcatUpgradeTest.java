package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.contract.UpgradeContract;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TomcatUpgradeTest extends UpgradeContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** Tomcat says of a request that it is upgraded. */
  @Test
  void connectionsEnded_upgraded_doesNotWaitForIt() throws Exception {
    container.serve("/it", (request, response) -> request.upgrade(Staying.class)).start();
    try (RawClient client = container.client()) {
      assertEquals(101, client.send(UPGRADE).readHead().status());
      await().until(() -> container.drain().isDone());
    }
  }
}
