package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.RawClient.Reply;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Responses of all kinds say that the connection ends, once core asks for it, and not before. */
@Timeout(30)
class JettyMarkingTest {
  private final CountDownLatch goOn = new CountDownLatch(1);
  private JettyFixture jetty;

  @BeforeEach
  void create() {
    jetty = new JettyFixture();
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    jetty.stop();
  }

  private void hold() {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void leaving_probeUnknownPathAndMalformed_allSayClose() throws Exception {
    jetty.serveProbes().start();
    jetty.leave();
    for (String path : new String[] {"/livez", "/unknown/path", "/plain"}) {
      try (RawClient client = jetty.client()) {
        assertTrue(client.exchange(path).saysClose(), path);
        assertTrue(client.ended(), path);
      }
    }
    try (RawClient client = jetty.client()) {
      Reply reply = client.send("GET /plain HTTP/1.1\r\nHost test\r\n\r\n").read();
      assertEquals(400, reply.status());
      assertTrue(reply.saysClose());
    }
  }

  @Test
  void serving_anyAnswer_keepsTheConnection() throws Exception {
    jetty.serveProbes().start();
    try (RawClient client = jetty.client()) {
      assertNull(client.exchange("/livez").header("connection"));
      assertNull(client.exchange("/plain").header("connection"));
    }
  }

  @Test
  void leaving_headCommittedBefore_isNotCutWithoutHavingSaidSo() throws Exception {
    jetty.serve(
        "/flush",
        (request, response) -> {
          response.getWriter().print("first");
          response.flushBuffer();
          hold();
          response.getWriter().print("held");
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      jetty.leave();
      goOn.countDown();
      assertEquals("held", client.readChunk());
      assertEquals("", client.readChunk());
      await().until(() -> jetty.inFlight() == 0);
      assertTrue(
          client.exchange("/plain").saysClose(), "the next one on it is served, and says it");
    }
  }
}
