package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.AsyncCountingContract;

class JettyAsyncCountingTest extends AsyncCountingContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
