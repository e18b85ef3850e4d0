package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.UpgradeContract;
import java.io.IOException;

class UndertowUpgradeTest extends UpgradeContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
