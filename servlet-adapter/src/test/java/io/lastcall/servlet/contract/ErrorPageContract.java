package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An error page is written behind the filter's back: the connection is owed it all the same. */
public abstract class ErrorPageContract<C extends ContainerFixture> extends ContainerContract<C> {

  /** Whether the container lets us say it at the commit of what the filter does not see. */
  protected boolean isMarkedAtItsCommit() {
    return true;
  }

  @BeforeEach
  void addPage() {
    container.addErrorPage(404, "/hold");
  }

  @Test
  void sync_errorPageStillWritten_holdsTheDrain() throws Exception {
    container.serve("/missing", (request, response) -> response.sendError(404)).start();
    try (RawClient client = container.client()) {
      client.get("/missing");
      assertErrorPageHoldsTheDrain(client);
    }
  }

  @Test
  void sync_errorInPlaceOfAnEventStream_holdsTheDrain() throws Exception {
    container
        .serve(
            "/missing",
            (request, response) -> {
              response.setContentType("text/event-stream");
              response.sendError(404);
            })
        .start();
    try (RawClient client = container.client()) {
      client.get("/missing");
      assertErrorPageHoldsTheDrain(client);
    }
  }

  @Test
  void async_errorPageStillWritten_holdsTheDrain() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      // Jetty runs the error page on the thread that completes.
      CompletableFuture<Void> completed =
          CompletableFuture.runAsync(() -> completeMissing(context));
      assertErrorPageHoldsTheDrain(client);
      completed.get();
    }
  }

  private static void completeMissing(AsyncContext context) {
    try {
      ((HttpServletResponse) context.getResponse()).sendError(404);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    context.complete();
  }

  private void assertErrorPageHoldsTheDrain(RawClient client) throws Exception {
    entered.await();
    CompletableFuture<?> ended = container.drain();
    assertFalse(ended.isDone());
    goOn.countDown();
    Reply reply = client.read();
    assertEquals(404, reply.status());
    assertEquals("held", reply.body());
    assertEquals(isMarkedAtItsCommit(), reply.saysClose());
    assertTrue(client.ended());
    ended.get();
    container.awaitCounted(1);
  }
}
