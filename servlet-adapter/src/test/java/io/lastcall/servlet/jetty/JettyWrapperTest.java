package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.WrapperContract;
import org.junit.jupiter.api.Test;

class JettyWrapperTest extends WrapperContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Test
  void leaving_streamedBodyFails_clientSeesThatItIsCut() throws Exception {
    assertThatACutBodyLooksCut();
  }
}
