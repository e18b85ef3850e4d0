package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.servlet.contract.AnsweringContract;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.Test;

class TomcatAnsweringTest extends AnsweringContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    return new TomcatFixture(connector);
  }

  /** Without it Tomcat does not begin the request. */
  @Test
  void isAnswering_upgradeWhoseClientSendsNoPreface_no() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.send("GET /plain HTTP/1.1\r\nHost: test\r\nUpgrade: h2c\r\n");
      client.send("Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABk\r\n\r\n");
      assertEquals(101, client.readHead().status());
      CompletableFuture<?> ended = container.drain();
      // Our PING, behind the GOAWAY: Tomcat is done with the upgrade.
      client.until("lastcall");
      assertFalse(ended.isDone());
      assertEquals(0, container.answering());
    }
  }
}
