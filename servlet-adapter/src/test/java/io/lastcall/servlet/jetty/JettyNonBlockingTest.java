package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.NonBlockingContract;

class JettyNonBlockingTest extends NonBlockingContract<JettyFixture> {
  @Override
  protected JettyFixture create() throws Exception {
    return JettyFixture.clearText();
  }
}
