package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.AsyncFailureContract;
import java.io.IOException;

class TomcatAsyncFailureTest extends AsyncFailureContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
