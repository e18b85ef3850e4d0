package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.CountingContract;
import java.io.IOException;

class UndertowCountingTest extends CountingContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
