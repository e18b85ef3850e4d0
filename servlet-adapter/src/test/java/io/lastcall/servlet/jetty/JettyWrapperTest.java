package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.contract.WrapperContract;
import io.lastcall.testing.RawClient;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.junit.jupiter.api.Test;

class JettyWrapperTest extends WrapperContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  /** Of such a URI Jetty tells no decoded path, unless it is told to. */
  @Test
  void uriThatJettyIsToldToAllow_isServedAndCounted() throws Exception {
    HttpConfiguration http = new HttpConfiguration();
    http.setUriCompliance(UriCompliance.LEGACY);
    replaceBy(new JettyFixture(new HttpConnectionFactory(http)));
    container.serve(
        "/files/*",
        (request, response) -> {
          String description = container.control.running().get(0).description();
          response.getWriter().print(description + " is " + request.getRequestURI());
        });
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("GET /files/a%2Fb is /files/a%2Fb", client.exchange("/files/a%2Fb").body());
      container.awaitCounted(1);
    }
  }

  @Test
  void leaving_streamedBodyFails_clientSeesThatItIsCut() throws Exception {
    assertThatACutBodyLooksCut();
  }
}
