package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.LastResponseContract;

class JettyLastResponseTest extends LastResponseContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
