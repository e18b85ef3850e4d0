package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.ErrorPageContract;
import io.lastcall.testing.RawClient;
import org.junit.jupiter.api.Test;

class JettyErrorPageTest extends ErrorPageContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return JettyFixture.clearText();
  }

  /** Undertow has such a request wait for its end, and on Tomcat our connector completes it. */
  @Test
  void async_errorPageOfAnException_holdsTheDrain() throws Exception {
    container
        .serve(
            "/fail",
            (request, response) -> {
              request.startAsync();
              throw new IllegalStateException("on purpose");
            })
        .start();
    try (RawClient client = container.client()) {
      client.get("/fail");
      assertErrorPageHoldsTheDrain(client, 500);
    }
  }
}
