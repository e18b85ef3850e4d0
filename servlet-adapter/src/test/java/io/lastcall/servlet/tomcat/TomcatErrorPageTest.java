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
}
