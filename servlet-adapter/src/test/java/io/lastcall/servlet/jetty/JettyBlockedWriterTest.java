package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.BlockedWriterContract;

class JettyBlockedWriterTest extends BlockedWriterContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return JettyFixture.clearText();
  }
}
