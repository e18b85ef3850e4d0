package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.CloseCause;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.contract.LongLivedContract;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class UndertowLongLivedTest extends LongLivedContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Undertow hands the completion to a worker, which is gone. */
  @Test
  void sse_firstEventBehindTheStop_isNoFailureToClose() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      Connections connections = container.connectionControl.connections();
      container.connectionControl.closeAll(Duration.ZERO, ContainerFixture.limit());
      container.server.stop(ContainerFixture.limit());
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().getOutputStream().print("data: 1\n\n");
      try {
        context.getResponse().flushBuffer();
      } catch (IOException gone) {
        // Its connection ends with the server.
      }
      assertEquals(0, connections.closed("sse", CloseCause.FAILURE));
    }
  }
}
