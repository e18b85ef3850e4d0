package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.AsyncCountingContract;
import jakarta.servlet.AsyncContext;

class JettyAsyncCountingTest extends AsyncCountingContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  /** Jetty has ended the response by then. */
  @Override
  protected String writtenAtTheEnd() {
    return "";
  }

  @Override
  protected void completeAgain(AsyncContext context) {
    try {
      context.complete();
    } catch (IllegalStateException refused) {
      // As the others do; but Jetty only once its own thread has left the request.
    }
  }
}
