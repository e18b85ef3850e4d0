package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.MarkingContract;

class JettyMarkingTest extends MarkingContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
