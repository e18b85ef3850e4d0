package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.ErrorPageContract;
import java.io.IOException;
import org.apache.catalina.connector.Connector;

class TomcatErrorPageTest extends ErrorPageContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    return new TomcatFixture(connector);
  }

  /**
   * Tomcat asks whether a connection ends when it has parsed the head, and what commits is final in
   * its processor: a shutdown that begins between the filter's end and the page's is not told.
   */
  @Override
  protected boolean isMarkedAtItsCommit() {
    return false;
  }
}
