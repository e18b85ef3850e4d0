package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.NonBlockingContract;
import org.apache.catalina.connector.Connector;

class TomcatNonBlockingTest extends NonBlockingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    return new TomcatFixture(connector);
  }
}
