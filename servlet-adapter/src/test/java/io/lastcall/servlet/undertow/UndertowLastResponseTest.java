package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.LastResponseContract;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class UndertowLastResponseTest extends LastResponseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Tomcat and Jetty close at once behind such a response, and so reset who has sent more. */
  @Test
  void response_saysCloseAndMoreComes_endsByFinNotByReset() throws Exception {
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      assertTrue(client.exchange("/plain").saysClose());
      client.get("/plain").send(MORE_THAN_BUFFERS_HOLD);
      assertTrue(client.ended());
    }
    container.awaitConnections(0);
    assertEquals(1, container.control.started());
  }
}
