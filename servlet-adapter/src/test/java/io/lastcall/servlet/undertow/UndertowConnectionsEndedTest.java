package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.ConnectionsEndedContract;
import java.io.IOException;

class UndertowConnectionsEndedTest extends ConnectionsEndedContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
