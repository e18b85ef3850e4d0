package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.CountingContract;
import java.io.IOException;

class TomcatCountingTest extends CountingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
