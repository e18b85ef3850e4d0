package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.NonBlockingContract;
import io.undertow.UndertowOptions;
import org.xnio.OptionMap;

class UndertowNonBlockingTest extends NonBlockingContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws Exception {
    return new UndertowFixture(OptionMap.create(UndertowOptions.ENABLE_HTTP2, true), 8);
  }
}
