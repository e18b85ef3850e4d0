package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.MarkingContract;
import java.io.IOException;

class UndertowMarkingTest extends MarkingContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Undertow has the end of the connection end the body. */
  @Override
  protected boolean keepsChunksBehindClose() {
    return false;
  }

  @Override
  protected boolean drawsOnce() {
    return false;
  }
}
