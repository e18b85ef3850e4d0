package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.LongLivedContract;
import java.io.IOException;

class UndertowLongLivedTest extends LongLivedContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
