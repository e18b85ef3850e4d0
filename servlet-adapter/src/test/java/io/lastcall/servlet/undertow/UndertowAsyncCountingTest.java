package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.AsyncCountingContract;
import jakarta.servlet.AsyncContext;
import java.io.IOException;

class UndertowAsyncCountingTest extends AsyncCountingContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Undertow takes it without a word. */
  @Override
  protected void completeAgain(AsyncContext context) {
    context.complete();
  }
}
