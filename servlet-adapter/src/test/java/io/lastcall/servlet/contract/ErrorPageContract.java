package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * An error page is written behind the filter's back: the connection is owed it all the same. The
 * containers speak HTTP/1.1 and h2c.
 */
public abstract class ErrorPageContract<C extends ContainerFixture> extends ContainerContract<C> {

  @BeforeEach
  void addPage() {
    container.addErrorPage(404, "/hold");
    container.addErrorPage(500, "/hold");
  }

  @Test
  void sync_errorPageStillWritten_holdsTheDrain() throws Exception {
    container.serve("/missing", (request, response) -> response.sendError(404)).start();
    try (RawClient client = container.client()) {
      client.get("/missing");
      assertErrorPageHoldsTheDrain(client, 404);
    }
  }

  @Test
  void sync_errorPageOfAnException_holdsTheDrain() throws Exception {
    container
        .serve(
            "/fail",
            (request, response) -> {
              throw new IllegalStateException("on purpose");
            })
        .start();
    try (RawClient client = container.client()) {
      client.get("/fail");
      assertErrorPageHoldsTheDrain(client, 500);
    }
  }

  @Test
  void sync_errorPageOverHttp2_holdsTheDrain() throws Exception {
    container.serve("/missing", (request, response) -> response.sendError(404)).start();
    try (RawHttp2Client client = new RawHttp2Client(container.port())) {
      client.get(1, "/missing");
      entered.await();
      CompletableFuture<?> ended = container.drain();
      client.ack(client.await(RawHttp2Client.PING));
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", client.body(1));
      assertTrue(client.endsAtLast());
      ended.get();
      assertEquals(0, container.answering());
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
      assertErrorPageHoldsTheDrain(client, 404);
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
      assertErrorPageHoldsTheDrain(client, 404);
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

  protected final void assertErrorPageHoldsTheDrain(RawClient client, int status) throws Exception {
    entered.await();
    CompletableFuture<?> ended = container.drain();
    assertFalse(ended.isDone());
    await().until(() -> container.answering() == 1);
    goOn.countDown();
    Reply reply = client.read();
    assertEquals(status, reply.status());
    assertEquals("held", reply.body());
    assertTrue(client.ended());
    ended.get();
    assertEquals(0, container.answering());
    container.awaitCounted(1);
  }
}
