package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.ConnectionsEndedContract;

class JettyConnectionsEndedTest extends ConnectionsEndedContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
