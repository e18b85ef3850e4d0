package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.IdleCloseContract;
import java.io.IOException;
import java.time.Duration;
import org.xnio.OptionMap;

class UndertowIdleCloseTest extends IdleCloseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  @Override
  protected UndertowFixture create(Duration patience) throws IOException {
    return new UndertowFixture(patience);
  }

  @Override
  protected void startWithOneWorker() throws Exception {
    replaceBy(new UndertowFixture(OptionMap.EMPTY, 1));
    container.start();
  }
}
