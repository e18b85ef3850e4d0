package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.LongLivedContract;

class JettyLongLivedTest extends LongLivedContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
