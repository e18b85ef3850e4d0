package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.LastResponseContract;
import java.io.IOException;

class UndertowLastResponseTest extends LastResponseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
