package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.servlet.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One permit per request, from its entry to its completed response. */
@Timeout(30)
class CountingTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture();
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve("/async", (request, response) -> started.add(request.startAsync()));
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    tomcat.close();
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
  void sync_running_isInFlightWithItsNameAndThread() throws Exception {
    tomcat.serve("/hold", this::hold).start();
    try (RawClient client = tomcat.client()) {
      client.get("/hold");
      entered.await();
      InFlightRequest running = tomcat.control.running().get(0);
      assertEquals("GET /hold", running.description());
      assertTrue(running.thread().orElseThrow().getName().contains("exec"));
      assertTrue(running.age().orElseThrow().compareTo(Duration.ZERO) > 0);
      goOn.countDown();
      assertEquals("held", client.read().body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsException_isReleased() throws Exception {
    tomcat.serve(
        "/fail",
        (request, response) -> {
          throw new ServletException("on purpose");
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals(500, client.exchange("/fail").status());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsError_isReleased() throws Exception {
    tomcat.serve(
        "/fail",
        (request, response) -> {
          throw new AssertionError("on purpose");
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals(500, client.exchange("/fail").status());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_sendErrorWithPage_isCountedOnceAndThePageArrives() throws Exception {
    tomcat.serve("/missing", (request, response) -> response.sendError(404));
    tomcat.serve("/page", (request, response) -> response.getWriter().print("the page"));
    ErrorPage page = new ErrorPage();
    page.setErrorCode(404);
    page.setLocation("/page");
    tomcat.context.addErrorPage(page);
    tomcat.start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.exchange("/missing");
      assertEquals(404, reply.status());
      assertEquals("the page", reply.body());
      assertTrue(reply.saysClose());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_forwardAndInclude_isCountedOnce() throws Exception {
    tomcat.serve(
        "/both",
        (request, response) -> {
          request.getRequestDispatcher("/plain").include(request, response);
          request.getRequestDispatcher("/inner").include(request, response);
        });
    tomcat.serve(
        "/inner",
        (request, response) -> response.getWriter().print(" in flight " + tomcat.inFlight()));
    tomcat.serve(
        "/forward",
        (request, response) -> request.getRequestDispatcher("/inner").forward(request, response));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals("plain in flight 1", client.exchange("/both").body());
      assertEquals(" in flight 1", client.exchange("/forward").body());
      tomcat.awaitCounted(2);
    }
  }

  @Test
  void sync_filterTwiceInTheChain_isCountedOnce() throws Exception {
    ShutdownFilter second =
        new ShutdownFilter(
            tomcat.control.gate(), tomcat.probes, tomcat.connectionControl.connections());
    tomcat.addFilter("second", second, DispatcherType.REQUEST).start();
    try (RawClient client = tomcat.client()) {
      assertEquals("plain", client.exchange("/plain").body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_flushedWhileRunning_staysInFlight() throws Exception {
    tomcat.serve(
        "/flush",
        (request, response) -> {
          response.getWriter().print("first");
          response.flushBuffer();
          hold(request, response);
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      assertEquals(1, tomcat.inFlight());
      goOn.countDown();
      assertEquals("held", client.readChunk());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_clientGone_isReleased() throws Exception {
    tomcat.serve(
        "/endless",
        (request, response) -> {
          entered.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            response.getOutputStream().write(new byte[10_000]);
          }
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/endless");
      entered.await();
      client.reset();
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void sync_ending_isWrittenOutBeforeItsRelease() throws Exception {
    tomcat.serve("/small", (request, response) -> response.getWriter().print("small"));
    tomcat.addFirst(
        "outside",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          assertEquals(tomcat.control.gate().isEnding(), response.isCommitted());
          // What the container would do by itself is held up: the client has it all the same.
          hold((HttpServletRequest) request, (HttpServletResponse) response);
        });
    tomcat.start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.exchange("/small");
      assertEquals("small", reply.body());
      assertEquals("5", reply.header("content-length"));
      tomcat.awaitCounted(1);
      goOn.countDown();
      assertTrue(client.ended());
    }
  }

  @Test
  void async_completedFromAnotherThread_isInFlightUntilThen() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      assertEquals(1, tomcat.inFlight());
      await().until(() -> tomcat.control.running().get(0).thread().isEmpty());
      print(context, "later");
      context.complete();
      assertEquals("later", client.read().body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_completedTwice_isReleasedOnce() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      tomcat.awaitInFlight(1);
      context.complete();
      assertThrows(IllegalStateException.class, context::complete);
      client.read();
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_completedBeforeTheServletReturns_isReleasedOnce() throws Exception {
    tomcat.serve(
        "/at-once",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          print(context, "at once");
          context.complete();
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals("at once", client.exchange("/at-once").body());
      assertEquals("at once", client.exchange("/at-once").body());
      tomcat.awaitCounted(2);
    }
  }

  @Test
  void async_startedOnTheUnwrappedRequest_isInFlightUntilComplete() throws Exception {
    tomcat.serve(
        "/unwrapped",
        (request, response) -> started.add(((CountedRequest) request).getRequest().startAsync()));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/unwrapped");
      AsyncContext context = takeStarted();
      assertEquals(1, tomcat.inFlight());
      context.complete();
      client.read();
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutWithoutAnswer_isReleased() throws Exception {
    tomcat.serve("/slow", (request, response) -> request.startAsync().setTimeout(1));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals(500, client.exchange("/slow").status());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutAnsweredByTheApplication_isInFlightUntilItsAnswer() throws Exception {
    tomcat.serve(
        "/slow",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(1);
          context.addListener(new DispatchOnTimeout());
        });
    tomcat.serve(
        "/answer", (request, response) -> response.getWriter().print("n=" + tomcat.inFlight()));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals("n=1", client.exchange("/slow").body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedAndStartedAgain_isInFlightUntilTheSecondCompletes() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      AsyncContext second = takeStarted();
      assertEquals(1, tomcat.inFlight());
      print(second, "second");
      second.complete();
      assertEquals("second", client.read().body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedToASyncServlet_isReleased() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals("plain", client.read().body());
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_chainThrowsAfterStart_isReleased() throws Exception {
    tomcat.serve(
        "/fail",
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      // So does Tomcat 11.0.25 by itself: it closes such a connection without a byte.
      assertThrows(EOFException.class, () -> client.exchange("/fail"));
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_clientGone_isReleased() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
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
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void async_clientGoneAndWriterUsed_isReleased() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      try {
        while (!context.getResponse().getWriter().checkError()) {
          print(context, "x".repeat(1000));
        }
      } catch (NullPointerException | IllegalStateException recycled) {
        // Tomcat was faster: it has ended the request and taken the writer to pieces.
      }
      tomcat.awaitCounted(1);
    }
  }

  @Test
  void late_gateRefuses_gets503WithRetryAfterAndClose() throws Exception {
    tomcat.start();
    tomcat.leave();
    tomcat.control.refuse();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.exchange("/plain");
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
      assertEquals(1, tomcat.control.refused());
    }
  }

  @Test
  void probe_any_isNotCountedAndAnsweredToTheEnd() throws Exception {
    tomcat.serveProbes().start();
    tomcat.leave();
    tomcat.control.close();
    tomcat.ready.set(false);
    try (RawClient client = tomcat.client();
        RawClient other = tomcat.client()) {
      assertEquals(200, client.exchange("/livez").status());
      assertEquals(503, other.exchange("/readyz").status());
      assertThrows(EOFException.class, () -> other.exchange("/startupz"), "told to close");
      assertEquals(0, tomcat.control.started());
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
