package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.WrapperContract;
import java.io.IOException;

class UndertowWrapperTest extends WrapperContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
