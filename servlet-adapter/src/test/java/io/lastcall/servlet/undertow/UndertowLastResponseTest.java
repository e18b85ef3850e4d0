package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.LastResponseContract;
import io.lastcall.testing.RawClient;
import io.undertow.UndertowOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;

class UndertowLastResponseTest extends LastResponseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** With it Undertow loses the answer. */
  @Test
  void response_bufferingOfPipelinedAnswersAskedFor_isNotLost() throws Exception {
    replaceBy(
        new UndertowFixture(OptionMap.create(UndertowOptions.BUFFER_PIPELINED_DATA, true), 8));
    container.serve("/empty", (request, response) -> response.setStatus(204)).start();
    container.leave();
    try (RawClient client = container.client()) {
      client.send(
          "GET /empty HTTP/1.1\r\nHost: test\r\n\r\nGET /plain HTTP/1.1\r\nHost: test\r\n\r\n");
      assertTrue(client.read().saysClose());
      assertTrue(client.ended());
    }
  }
}
