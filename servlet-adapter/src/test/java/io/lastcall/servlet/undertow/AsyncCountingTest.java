package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One permit per asynchronous request, however it ends. */
@Timeout(30)
class AsyncCountingTest {
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = new UndertowFixture();
    undertow.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    undertow.serve("/async", (request, response) -> started.add(request.startAsync()));
  }

  @AfterEach
  void stop() {
    undertow.close();
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
  void async_completedFromAnotherThread_isInFlightUntilThen() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      assertEquals(1, undertow.inFlight());
      await().until(() -> undertow.control.running().get(0).thread().isEmpty());
      print(context, "later");
      context.complete();
      assertEquals("later", client.read().body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_completedTwice_isReleasedOnce() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      undertow.awaitInFlight(1);
      context.complete();
      // Undertow takes it without a word.
      context.complete();
      client.read();
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_completedBeforeTheServletReturns_isReleasedOnce() throws Exception {
    undertow.serve(
        "/at-once",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          print(context, "at once");
          context.complete();
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals("at once", client.exchange("/at-once").body());
      assertEquals("at once", client.exchange("/at-once").body());
      undertow.awaitCounted(2);
    }
  }

  @Test
  void async_startedOnTheUnwrappedRequest_isInFlightUntilComplete() throws Exception {
    undertow.serve(
        "/unwrapped",
        (request, response) ->
            started.add(((HttpServletRequestWrapper) request).getRequest().startAsync()));
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/unwrapped");
      AsyncContext context = takeStarted();
      assertEquals(1, undertow.inFlight());
      context.complete();
      client.read();
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutWithoutAnswer_isReleased() throws Exception {
    undertow.serve("/slow", (request, response) -> request.startAsync().setTimeout(1));
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals(500, client.exchange("/slow").status());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutAnsweredByTheApplication_isInFlightUntilItsAnswer() throws Exception {
    undertow.serve(
        "/slow",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(1);
          context.addListener(new DispatchOnTimeout());
        });
    undertow.serve(
        "/answer", (request, response) -> response.getWriter().print("n=" + undertow.inFlight()));
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals("n=1", client.exchange("/slow").body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedAndStartedAgain_isInFlightUntilTheSecondCompletes() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      AsyncContext second = takeStarted();
      assertEquals(1, undertow.inFlight());
      print(second, "second");
      second.complete();
      assertEquals("second", client.read().body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedToASyncServlet_isReleased() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals("plain", client.read().body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_chainThrowsAfterStart_isReleased() throws Exception {
    undertow.serve(
        "/fail",
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals(500, client.exchange("/fail").status());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_clientGone_isReleased() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
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
      undertow.awaitCounted(1);
    }
  }

  @Test
  void async_clientGoneAndWriterUsed_isReleased() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      try {
        while (!context.getResponse().getWriter().checkError()) {
          print(context, "x".repeat(1000));
        }
      } catch (NullPointerException | IllegalStateException recycled) {
        // Undertow was faster: it has ended the request.
      }
      undertow.awaitCounted(1);
    }
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
