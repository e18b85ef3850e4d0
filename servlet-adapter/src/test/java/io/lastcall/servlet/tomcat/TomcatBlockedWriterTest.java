package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.BlockedWriterContract;
import java.io.IOException;
import org.apache.catalina.connector.Connector;

class TomcatBlockedWriterTest extends BlockedWriterContract<TomcatFixture> {
  /** Tomcat's own timeout of a write, 5 s, would end the connection. */
  private static final int MINUTE_MILLIS = 60_000;

  @Override
  protected TomcatFixture create() throws IOException {
    Connector connector = new Connector(new LastcallProtocol());
    LastcallHttp2Protocol http2 = new LastcallHttp2Protocol();
    http2.setWriteTimeout(MINUTE_MILLIS);
    http2.setStreamWriteTimeout(MINUTE_MILLIS);
    connector.addUpgradeProtocol(http2);
    return new TomcatFixture(connector);
  }
}
