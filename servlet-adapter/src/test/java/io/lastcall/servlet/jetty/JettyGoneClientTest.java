package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.GoneClientContract;

class JettyGoneClientTest extends GoneClientContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
