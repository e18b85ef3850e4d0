package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.contract.AsyncDispatchContract;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class UndertowAsyncDispatchTest extends AsyncDispatchContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** Tomcat and Jetty refuse the second. */
  @Test
  void async_dispatchedAndCompletedWhileItsChainRuns_isInFlightUntilTheDispatchIsAnswered()
      throws Exception {
    container.serve(
        "/both",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.dispatch("/hold");
          CompletableFuture.runAsync(context::complete).join();
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/both");
      entered.await();
      assertEquals(1, container.inFlight());
      goOn.countDown();
      assertEquals("held", client.read().body());
      container.awaitCounted(1);
    }
  }
}
