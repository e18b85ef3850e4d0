package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.servlet.contract.AsyncCountingContract;
import io.lastcall.testing.RawClient;
import java.io.EOFException;
import java.io.IOException;

class TomcatAsyncCountingTest extends AsyncCountingContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** Tomcat 11.0.25 closes such a connection without a byte. */
  @Override
  protected void assertFailure(RawClient client, String path) {
    assertThrows(EOFException.class, () -> client.exchange(path));
  }
}
