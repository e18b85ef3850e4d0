package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.AsyncCountingContract;
import java.io.IOException;

class TomcatAsyncCountingTest extends AsyncCountingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
