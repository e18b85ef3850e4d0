package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.servlet.contract.IdleCloseContract;
import java.io.IOException;
import java.util.function.Supplier;
import org.xnio.OptionMap;

class UndertowIdleCloseTest extends IdleCloseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  @Override
  protected UndertowFixture create(Supplier<FirstRequest> firstRequests) throws IOException {
    return new UndertowFixture(OptionMap.EMPTY, firstRequests);
  }

  @Override
  protected void startWithOneWorker() throws Exception {
    replaceBy(new UndertowFixture(OptionMap.EMPTY, 1));
    container.start();
  }
}
