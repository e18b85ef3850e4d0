package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One permit per request, and connections that are owed an answer until it has left. */
@Timeout(30)
class JettyCountingTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private JettyFixture jetty;

  @BeforeEach
  void create() {
    jetty = new JettyFixture();
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    jetty.serve("/async", (request, response) -> started.add(request.startAsync()));
    jetty.serve("/hold", this::hold);
    ErrorPageErrorHandler pages = new ErrorPageErrorHandler();
    pages.addErrorPage(404, "/hold");
    jetty.context.setErrorHandler(pages);
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    jetty.stop();
  }

  private void hold(HttpServletRequest request, HttpServletResponse response) throws IOException {
    entered.countDown();
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    response.getWriter().print("held");
  }

  private AsyncContext takeStarted() throws InterruptedException {
    AsyncContext context = started.poll(5, TimeUnit.SECONDS);
    assertTrue(context != null, "async started");
    return context;
  }

  private static void print(AsyncContext context, String text) throws IOException {
    context.getResponse().getWriter().print(text);
  }

  @Test
  void sync_chainThrowsException_isReleased() throws Exception {
    jetty.serve(
        "/fail",
        (request, response) -> {
          throw new ServletException("on purpose");
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      assertEquals(500, client.exchange("/fail").status());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsError_isReleasedAndSaysClose() throws Exception {
    jetty.serve(
        "/fail",
        (request, response) -> {
          throw new AssertionError("on purpose");
        });
    jetty.start();
    jetty.leave();
    try (RawClient client = jetty.client()) {
      Reply reply = client.exchange("/fail");
      assertEquals(500, reply.status());
      assertTrue(reply.saysClose());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void sync_errorPageStillWritten_holdsTheDrain() throws Exception {
    jetty.serve("/missing", (request, response) -> response.sendError(404));
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/missing");
      assertErrorPageHoldsTheDrain(client);
    }
  }

  @Test
  void async_errorPageStillWritten_holdsTheDrain() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
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
    CompletableFuture<?> ended = jetty.drain();
    assertFalse(ended.isDone());
    goOn.countDown();
    Reply reply = client.read();
    assertEquals(404, reply.status());
    assertEquals("held", reply.body());
    assertTrue(reply.saysClose());
    assertTrue(client.ended());
    ended.get();
    jetty.awaitCounted(1);
  }

  @Test
  void sync_clientGone_isReleased() throws Exception {
    jetty.serve(
        "/endless",
        (request, response) -> {
          entered.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            response.getOutputStream().write(new byte[10_000]);
          }
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/endless");
      entered.await();
      client.reset();
      jetty.awaitCounted(1);
    }
    jetty.drain().get();
  }

  @Test
  void async_completedFromAnotherThread_isInFlightUntilThen() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      assertEquals(1, jetty.inFlight());
      print(context, "later");
      context.complete();
      assertEquals("later", client.read().body());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void async_completedTwice_isReleasedOnce() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      context.complete();
      client.read();
      jetty.awaitCounted(1);
      assertThrows(IllegalStateException.class, context::complete);
      assertEquals(1, jetty.control.finished());
    }
  }

  @Test
  void async_completedBeforeTheServletReturns_isReleasedOnce() throws Exception {
    jetty.serve(
        "/at-once",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          print(context, "at once");
          context.complete();
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      assertEquals("at once", client.exchange("/at-once").body());
      assertEquals("at once", client.exchange("/at-once").body());
      jetty.awaitCounted(2);
    }
  }

  @Test
  void async_timeoutWithoutAnswer_isReleased() throws Exception {
    // Jetty 12.1.12 may miss one of a millisecond, which ends before it is noted down.
    jetty.serve("/slow", (request, response) -> request.startAsync().setTimeout(50));
    jetty.start();
    try (RawClient client = jetty.client()) {
      assertEquals(500, client.exchange("/slow").status());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutAnsweredByTheApplication_isInFlightUntilItsAnswer() throws Exception {
    jetty.serve(
        "/slow",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(50);
          context.addListener(new DispatchOnTimeout());
        });
    jetty.serve(
        "/answer", (request, response) -> response.getWriter().print("n=" + jetty.inFlight()));
    jetty.start();
    try (RawClient client = jetty.client()) {
      assertEquals("n=1", client.exchange("/slow").body());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedAndStartedAgain_isInFlightUntilTheSecondCompletes() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      AsyncContext second = takeStarted();
      assertEquals(1, jetty.inFlight());
      print(second, "second");
      second.complete();
      assertEquals("second", client.read().body());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void async_chainThrowsAfterStart_isReleased() throws Exception {
    jetty.serve(
        "/fail",
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      assertEquals(500, client.exchange("/fail").status());
      jetty.awaitCounted(1);
    }
  }

  @Test
  void async_clientGone_isReleased() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      assertThrows(
          Exception.class,
          () -> {
            for (int i = 0; i < 100_000; i++) {
              context.getResponse().getOutputStream().write(new byte[1000]);
              context.getResponse().flushBuffer();
            }
          });
      jetty.awaitCounted(1);
    }
    jetty.drain().get();
  }

  private static final class DispatchOnTimeout implements AsyncListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      event.getAsyncContext().dispatch("/answer");
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
  }
}
