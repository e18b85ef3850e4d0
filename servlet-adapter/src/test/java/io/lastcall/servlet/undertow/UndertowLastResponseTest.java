package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.LastResponseContract;
import io.undertow.UndertowOptions;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;

class UndertowLastResponseTest extends LastResponseContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** With it Undertow loses the answer. */
  @Test
  void response_bufferingOfPipelinedAnswersAskedFor_isNotLost() throws Exception {
    replaceBy(
        new UndertowFixture(OptionMap.create(UndertowOptions.BUFFER_PIPELINED_DATA, true), 8));
    response_withoutBodyAndMoreIsPipelined_saysCloseAndIsTheLast();
  }
}
