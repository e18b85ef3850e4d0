package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import org.junit.jupiter.api.Test;

/** A response that says close is a connection's last, and reaches its client whatever comes. */
public abstract class LastResponseContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  /** Can be sent only to somebody who reads: whoever is reset does not get through with it. */
  private static final String MORE_THAN_BUFFERS_HOLD = "x".repeat(20_000_000);

  private boolean drainLeavesNoneOwed() throws Exception {
    return container.drain().isDone();
  }

  @Test
  void response_pipelinedRequests_firstSaysCloseAndIsTheLast() throws Exception {
    container.start();
    String request = "GET /plain HTTP/1.1\r\nHost: test\r\n\r\n";
    try (RawClient client = container.client()) {
      client.send(request + request);
      assertEquals("plain", client.read().body());
      assertEquals("plain", client.read().body());
      container.leave();
      client.send(request + request);
      assertTrue(client.read().saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void response_withoutBody_saysCloseAndIsTheLast() throws Exception {
    container.serve("/empty", (request, response) -> response.setStatus(204)).start();
    container.leave();
    try (RawClient client = container.client()) {
      assertTrue(client.exchange("/empty").saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  protected void response_withoutBodyAndMoreIsPipelined_saysCloseAndIsTheLast() throws Exception {
    container.serve("/empty", (request, response) -> response.setStatus(204)).start();
    container.leave();
    try (RawClient client = container.client()) {
      client.send(
          "GET /empty HTTP/1.1\r\nHost: test\r\n\r\nGET /plain HTTP/1.1\r\nHost: test\r\n\r\n");
      assertTrue(client.read().saysClose());
      assertTrue(client.ended());
    }
  }

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

  @Test
  void response_saysCloseBeforeAChunkedBodyHasCome_endsByFinNotByReset() throws Exception {
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.send(
          "POST /plain HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
      assertTrue(client.read().saysClose());
      String chunk = "%x\r\n%s\r\n".formatted(10_000, "x".repeat(10_000));
      for (int i = 0; i < 100; i++) {
        client.send(chunk);
      }
      client.send("0\r\n\r\n");
      assertTrue(client.ended());
    }
    container.awaitConnections(0);
  }

  @Test
  void closeIfIdle_requestCrossesOurFin_isNotRun() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      await().until(this::drainLeavesNoneOwed);
      client.get("/plain").send(MORE_THAN_BUFFERS_HOLD);
      assertTrue(client.ended(), "by a FIN, not by a reset");
    }
    container.awaitConnections(0);
    assertEquals(1, container.control.started());
  }
}
