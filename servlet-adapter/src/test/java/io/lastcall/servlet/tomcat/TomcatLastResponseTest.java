package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.LastResponseContract;
import java.io.IOException;

class TomcatLastResponseTest extends LastResponseContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
