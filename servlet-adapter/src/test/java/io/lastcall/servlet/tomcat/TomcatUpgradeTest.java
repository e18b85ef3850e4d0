package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.UpgradeContract;
import java.io.IOException;

class TomcatUpgradeTest extends UpgradeContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
