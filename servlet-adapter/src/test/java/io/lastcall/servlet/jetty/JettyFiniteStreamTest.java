package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.FiniteStreamContract;

class JettyFiniteStreamTest extends FiniteStreamContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
