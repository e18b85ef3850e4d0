package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.LongLivedContract;
import java.io.IOException;

class TomcatLongLivedTest extends LongLivedContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
