package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.AsyncFailureContract;

class JettyAsyncFailureTest extends AsyncFailureContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
