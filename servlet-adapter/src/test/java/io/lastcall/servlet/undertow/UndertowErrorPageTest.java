package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.ErrorPageContract;
import io.undertow.UndertowOptions;
import java.io.IOException;
import org.xnio.OptionMap;

class UndertowErrorPageTest extends ErrorPageContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture(OptionMap.create(UndertowOptions.ENABLE_HTTP2, true), 8);
  }
}
