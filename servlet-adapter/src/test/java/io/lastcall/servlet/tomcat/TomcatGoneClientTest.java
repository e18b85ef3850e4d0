package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.GoneClientContract;
import java.io.IOException;

class TomcatGoneClientTest extends GoneClientContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
