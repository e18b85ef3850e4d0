package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.ErrorPageContract;
import java.io.IOException;

class TomcatErrorPageTest extends ErrorPageContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /**
   * Tomcat asks whether a connection ends when it has parsed the head, and what commits is final in
   * its processor: a shutdown that begins between the filter's end and the page's is not told.
   */
  @Override
  protected boolean isMarkedAtItsCommit() {
    return false;
  }
}
