package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.AsyncFailureContract;
import java.io.IOException;

class UndertowAsyncFailureTest extends AsyncFailureContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }
}
