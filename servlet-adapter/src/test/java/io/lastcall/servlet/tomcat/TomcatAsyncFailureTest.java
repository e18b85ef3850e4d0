package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.servlet.contract.AsyncFailureContract;
import io.lastcall.testing.RawClient;
import java.io.EOFException;
import java.io.IOException;

class TomcatAsyncFailureTest extends AsyncFailureContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** Tomcat 11.0.25 closes such a connection without a byte. */
  @Override
  protected void assertFailure(RawClient client) {
    assertThrows(EOFException.class, client::read);
  }
}
