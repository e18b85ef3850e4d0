package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.ErrorPageContract;
import java.io.IOException;

class UndertowErrorPageTest extends ErrorPageContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
