package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One permit per asynchronous request, however it ends. */
public abstract class AsyncCountingContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  /** Jetty 12.1.12 may miss one of a millisecond, which ends before it is noted down. */
  private static final long SHORT_MILLIS = 50;

  /** As the container takes, by itself, a second {@code complete}. */
  protected void completeAgain(AsyncContext context) {
    assertThrows(IllegalStateException.class, context::complete);
  }

  @Test
  void async_completedFromAnotherThread_isInFlightUntilThen() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      assertEquals(1, container.inFlight());
      await().until(() -> container.control.running().get(0).thread().isEmpty());
      print(context, "later");
      context.complete();
      assertEquals("later", client.read().body());
      container.awaitCounted(1);
    }
  }

  /** Returns the request that is on no thread any more. */
  private AsyncContext startedOffThread(RawClient client) throws Exception {
    client.get("/async");
    AsyncContext context = takeStarted();
    await().until(() -> container.control.running().get(0).thread().isEmpty());
    return context;
  }

  @Test
  void forceClose_nothingAnsweredYet_is503WithClose() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      AsyncContext context = startedOffThread(client);
      context.getResponse().setContentLength(1000);
      print(context, "begun");
      container.leave();
      container.control.giveUp(ContainerFixture.limit());
      assertEquals(0, container.inFlight());

      RawClient.Reply reply = client.read();
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
      assertEquals("", client.rest());
      container.awaitCounted(1);
    }
  }

  /** It is not made to look whole. */
  @Test
  void forceClose_responseHasBegun_isLeftAlone() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      AsyncContext context = startedOffThread(client);
      context.getResponse().flushBuffer();
      container.leave();
      container.control.giveUp(ContainerFixture.limit());
      assertEquals(1, container.inFlight());
      print(context, "later");
      context.complete();

      assertEquals("later", client.read().body());
      container.awaitCounted(1);
    }
  }

  /** What a container sends, by itself, of what is written by a listener at the end. */
  protected String writtenAtTheEnd() {
    return "at the end";
  }

  private void startWithAListenerThatWritesAtTheEnd() throws Exception {
    container.serve(
        "/kept",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.addListener(new WriteAtTheEnd());
          started.add(context);
        });
    container.start();
  }

  /** As filters do that have kept the response back. */
  @Test
  void async_listenerWritesAtTheEndWhileLeaving_isSent() throws Exception {
    startWithAListenerThatWritesAtTheEnd();
    container.leave();
    try (RawClient client = container.client()) {
      client.get("/kept");
      takeStarted().complete();
      assertEquals(writtenAtTheEnd(), client.read().body());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_completedTwice_isReleasedOnce() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      container.awaitInFlight(1);
      context.complete();
      completeAgain(context);
      client.read();
      container.awaitCounted(1);
    }
  }

  @Test
  void async_completedOnceMoreWhenAnswered_isReleasedOnce() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      context.complete();
      client.read();
      container.awaitCounted(1);
      completeAgain(context);
      assertEquals(1, container.control.finished());
    }
  }

  @Test
  void async_completedBeforeTheServletReturns_isReleasedOnce() throws Exception {
    container.serve(
        "/at-once",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          print(context, "at once");
          context.complete();
        });
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("at once", client.exchange("/at-once").body());
      assertEquals("at once", client.exchange("/at-once").body());
      container.awaitCounted(2);
    }
  }

  @Test
  void async_startedOnTheUnwrappedRequest_isInFlightUntilComplete() throws Exception {
    container.serve(
        "/unwrapped",
        (request, response) ->
            started.add(((HttpServletRequestWrapper) request).getRequest().startAsync()));
    container.start();
    try (RawClient client = container.client()) {
      client.get("/unwrapped");
      AsyncContext context = takeStarted();
      assertEquals(1, container.inFlight());
      context.complete();
      client.read();
      container.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutWithoutAnswer_isReleased() throws Exception {
    container.serve("/slow", (request, response) -> request.startAsync().setTimeout(SHORT_MILLIS));
    container.start();
    try (RawClient client = container.client()) {
      assertEquals(500, client.exchange("/slow").status());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_timeoutAnsweredByTheApplication_isInFlightUntilItsAnswer() throws Exception {
    container.serve(
        "/slow",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          context.setTimeout(SHORT_MILLIS);
          context.addListener(new DispatchOnTimeout());
        });
    container.serve(
        "/answer", (request, response) -> response.getWriter().print("n=" + container.inFlight()));
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("n=1", client.exchange("/slow").body());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_headerSetBehindAnInclude_isSent() throws Exception {
    container.serve(
        "/including",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          request.getRequestDispatcher("/plain").include(request, response);
          response.setHeader("X-Late", "yes");
          context.complete();
        });
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("yes", client.exchange("/including").header("x-late"));
      container.awaitCounted(1);
    }
  }

  /** As filters do that keep back what a later dispatch says. */
  @Test
  void async_listenerOfALaterCycleWritesAtTheEndWhileLeaving_isSent() throws Exception {
    startWithAListenerThatWritesAtTheEnd();
    container.leave();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/kept");
      takeStarted().complete();
      assertEquals(writtenAtTheEnd(), client.read().body());
      container.awaitCounted(1);
    }
  }

  private static final class WriteAtTheEnd extends QuietListener {
    @Override
    public void onComplete(AsyncEvent event) throws IOException {
      event.getAsyncContext().getResponse().getWriter().print("at the end");
    }
  }

  private static final class DispatchOnTimeout extends QuietListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      event.getAsyncContext().dispatch("/answer");
    }
  }
}
