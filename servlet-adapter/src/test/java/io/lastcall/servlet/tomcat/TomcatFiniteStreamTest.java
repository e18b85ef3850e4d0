package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.FiniteStreamContract;
import java.io.IOException;

class TomcatFiniteStreamTest extends FiniteStreamContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
