package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.ErrorPageContract;

class JettyErrorPageTest extends ErrorPageContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
