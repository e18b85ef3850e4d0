package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.AnsweringContract;
import java.io.IOException;
import org.apache.catalina.connector.Connector;

class TomcatAnsweringTest extends AnsweringContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    return new TomcatFixture(connector);
  }
}
