package io.lastcall.servlet.undertow;

import io.lastcall.servlet.contract.AsyncCountingContract;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class UndertowAsyncCountingTest extends AsyncCountingContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Undertow takes it without a word. */
  @Override
  protected void completeAgain(AsyncContext context) {
    context.complete();
  }

  /** Undertow tells of the new start only when its thread has left the request. */
  @Test
  void async_dispatchedToAChainThatStartsAgainAndThrows_isReleased() throws Exception {
    startWithFailureBehindAStart();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/fail");
      container.awaitCounted(1);
    }
  }
}
