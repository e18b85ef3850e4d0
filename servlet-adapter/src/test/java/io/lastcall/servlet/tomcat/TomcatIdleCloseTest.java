package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.IdleCloseContract;
import java.io.IOException;
import java.time.Duration;
import org.apache.catalina.connector.Connector;

class TomcatIdleCloseTest extends IdleCloseContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Override
  protected TomcatFixture create(Duration patience) throws IOException {
    return new TomcatFixture(new Connector(new LastcallProtocol(patience)));
  }

  @Override
  protected void startWithOneWorker() throws Exception {
    container.connector.setProperty("maxThreads", "1");
    container.start();
  }
}
