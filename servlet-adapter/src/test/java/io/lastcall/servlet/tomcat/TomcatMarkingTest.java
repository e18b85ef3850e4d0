package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.MarkingContract;
import java.io.IOException;

class TomcatMarkingTest extends MarkingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }
}
