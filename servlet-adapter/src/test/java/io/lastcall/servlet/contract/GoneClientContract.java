package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nobody waits for a request whose client has closed its connection. */
public abstract class GoneClientContract<C extends ContainerFixture> extends ContainerContract<C> {
  @Test
  void sync_clientHasClosed_isReleasedByTheThirdLookThatFindsItGone() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/hold");
      entered.await();
    }
    assertReleased("GET /hold");
    goOn.countDown();
  }

  @Test
  void async_clientHasClosed_isReleased() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted();
    }
    assertReleased("GET /async");
  }

  private void assertReleased(String description) {
    List<InFlightRequest> released = new ArrayList<>();
    await()
        .atMost(ContainerFixture.LIMIT)
        .until(() -> released.addAll(container.control.releaseAbandoned()));
    assertEquals(1, released.size());
    assertEquals(description, released.get(0).description());
    assertEquals(0, container.inFlight());
    assertEquals(1, container.control.abandonedByClients());
  }

  /** It has sent more meanwhile, and reads on. */
  @Test
  void sync_clientsAreThere_areWaitedFor() throws Exception {
    container.start();
    try (RawClient silent = container.client();
        RawClient pipelining = container.client()) {
      silent.get("/hold");
      pipelining.get("/hold");
      container.awaitInFlight(2);
      pipelining.send("GET /plain HTTP/1.1\r\nHost: test\r\n\r\n");
      for (int look = 0; look < 10; look++) {
        assertTrue(container.control.releaseAbandoned().isEmpty());
      }
      assertEquals(2, container.inFlight());
      goOn.countDown();
      assertEquals("held", silent.read().body());
      assertEquals("held", pipelining.read().body());
    }
  }
}
