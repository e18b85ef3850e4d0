package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.AsyncDispatchContract;
import java.io.IOException;

class TomcatAsyncDispatchTest extends AsyncDispatchContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
