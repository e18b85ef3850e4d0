package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.CountingContract;

class JettyCountingTest extends CountingContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
