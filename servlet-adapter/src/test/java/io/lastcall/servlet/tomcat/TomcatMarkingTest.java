package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.MarkingContract;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TomcatMarkingTest extends MarkingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** Tomcat drops the length with the compression, below the filter. */
  @Test
  void leaving_bodyOfKnownLengthIsCompressed_isInChunks() throws Exception {
    container.connector.setProperty("compression", "force");
    container.serve(
        "/it",
        (request, response) -> {
          response.setContentLength(100_000);
          response.getOutputStream().write(new byte[100_000]);
        });
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.send("GET /it HTTP/1.1\r\nHost: test\r\nAccept-Encoding: gzip\r\n\r\n");
      Reply reply = client.read();
      assertEquals("gzip", reply.header("content-encoding"));
      assertEquals("chunked", reply.header("transfer-encoding"));
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void leaving_head_hasNoBody() throws Exception {
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.send("HEAD /flush HTTP/1.1\r\nHost: test\r\n\r\n");
      goOn.countDown();
      Reply reply = client.readHead();
      assertEquals(200, reply.status());
      assertTrue(reply.saysClose());
      assertEquals("", client.rest());
    }
  }
}
