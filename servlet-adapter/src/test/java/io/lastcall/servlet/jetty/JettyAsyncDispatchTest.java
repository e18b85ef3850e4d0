package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.AsyncDispatchContract;

class JettyAsyncDispatchTest extends AsyncDispatchContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }
}
