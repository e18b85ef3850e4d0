package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.contract.WrapperContract;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class TomcatWrapperTest extends WrapperContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Test
  void leaving_streamedBodyFails_clientSeesThatItIsCut() throws Exception {
    assertThatACutBodyLooksCut();
  }
}
