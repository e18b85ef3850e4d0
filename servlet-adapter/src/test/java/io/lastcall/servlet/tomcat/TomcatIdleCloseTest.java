package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.IdleCloseContract;
import java.io.IOException;

class TomcatIdleCloseTest extends IdleCloseContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Override
  protected void startWithOneWorker() throws Exception {
    container.connector.setProperty("maxThreads", "1");
    container.start();
  }
}
