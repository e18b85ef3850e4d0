package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.AnsweringContract;

class JettyAnsweringTest extends AnsweringContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return JettyFixture.clearText();
  }
}
