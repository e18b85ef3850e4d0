package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.ConnectionsEndedContract;
import java.io.IOException;

class TomcatConnectionsEndedTest extends ConnectionsEndedContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
