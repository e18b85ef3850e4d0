package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** One permit per asynchronous request, however it ends. */
public abstract class AsyncCountingContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  /** Jetty 12.1.12 may miss one of a millisecond, which ends before it is noted down. */
  private static final long SHORT_MILLIS = 50;

  private static final String ENCODED = "/from/a%20b%C3%BC?q=1";

  /** As the container answers, by itself, a servlet that throws behind {@code startAsync}. */
  protected void assertFailure(RawClient client) throws IOException {
    assertEquals(500, client.read().status());
  }

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
  void giveUp_nothingAnsweredYet_is503WithClose() throws Exception {
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
  void giveUp_responseHasBegun_isLeftAlone() throws Exception {
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
  void async_dispatchedAndStartedAgain_isInFlightUntilTheSecondCompletes() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      AsyncContext second = takeStarted();
      assertEquals(1, container.inFlight());
      print(second, "second");
      second.complete();
      assertEquals("second", client.read().body());
      container.awaitCounted(1);
    }
  }

  /** By our request, and by the container's own. */
  @Test
  void async_startedAgainAndAgain_isListenedToOnce() throws Exception {
    CountedCompletions completions = new CountedCompletions();
    container.addFirst("completions", completions);
    container.serve(
        "/unwrapped", (request, response) -> started.add(containers(request).startAsync()));
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      takeStarted().dispatch("/async");
      takeStarted().dispatch("/unwrapped");
      takeStarted().dispatch("/plain");
      assertEquals("plain", client.read().body());
      container.drain().get();
      container.awaitCounted(1);
      assertEquals(1, completions.count());
    }
  }

  private static ServletRequest containers(ServletRequest request) {
    ServletRequest inner = request;
    while (inner instanceof ServletRequestWrapper wrapper) {
      inner = wrapper.getRequest();
    }
    return inner;
  }

  @Test
  void async_dispatchedBehindAForward_goesToWhereTheRequestCameTo() throws Exception {
    serveForward(request -> started.add(request.startAsync()));
    container.start();
    try (RawClient client = container.client()) {
      client.get(ENCODED);
      AsyncContext context = takeStarted();
      await().until(() -> container.control.running().get(0).thread().isEmpty());
      context.dispatch();
      assertEquals(ENCODED + " q=1", client.read().body());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_dispatchedWithinAForward_goesToWhereTheRequestCameTo() throws Exception {
    serveForward(request -> request.startAsync().dispatch());
    container.start();
    try (RawClient client = container.client()) {
      assertEquals(ENCODED + " q=1", client.exchange(ENCODED).body());
      assertEquals(ENCODED + " q=1", client.exchange(ENCODED).body());
      container.awaitCounted(2);
    }
  }

  /** Forwards what comes to {@link #ENCODED}; what is dispatched says where to. */
  private void serveForward(Consumer<HttpServletRequest> start) {
    serveUnlessDispatched(
        "/from/*",
        (request, response) -> request.getRequestDispatcher("/to?x=1").forward(request, response));
    serveUnlessDispatched("/to", (request, response) -> start.accept(request));
  }

  private void serveUnlessDispatched(String path, ContainerFixture.Service service) {
    container.serve(
        path,
        (request, response) -> {
          if (request.getDispatcherType() == DispatcherType.ASYNC) {
            String values = String.join(",", request.getParameterValues("q"));
            response
                .getWriter()
                .print(request.getRequestURI() + "?" + request.getQueryString() + " q=" + values);
          } else {
            service.serve(request, response);
          }
        });
  }

  /** What Tomcat wraps around its request for a dispatch is gone with the dispatch. */
  @Test
  void async_dispatchedAgainAndAgain_isWrappedNoDeeper() throws Exception {
    BlockingQueue<Integer> depths = new LinkedBlockingQueue<>();
    container.serve(
        "/deep",
        (request, response) -> {
          depths.add(depth(request));
          started.add(request.startAsync());
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/deep");
      takeStarted().dispatch("/deep");
      takeStarted().complete();
      client.read();
      assertEquals(depths.take(), depths.take());
    }
  }

  private static int depth(ServletRequest request) {
    return request instanceof ServletRequestWrapper wrapper ? 1 + depth(wrapper.getRequest()) : 0;
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

  @Test
  void async_dispatchedToASyncServlet_isReleased() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals("plain", client.read().body());
      container.awaitCounted(1);
    }
  }

  /** At {@code /fail}. */
  private void startWithFailureBehindAStart() throws Exception {
    container.serve(
        "/fail",
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });
    container.start();
  }

  @Test
  void async_chainThrowsAfterStart_isReleased() throws Exception {
    startWithFailureBehindAStart();
    try (RawClient client = container.client()) {
      client.get("/fail");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  /** Undertow tells of the new start only when its thread has left the request. */
  @Test
  void async_dispatchedToAChainThatStartsAgainAndThrows_isReleased() throws Exception {
    startWithFailureBehindAStart();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/fail");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  /** A filter in front of ours throws, behind the chain, where ours does not see it. */
  private void addFailingFirst(DispatcherType when) {
    container.addFirst(
        "failing",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          if (request.getDispatcherType() == when) {
            throw new IllegalStateException("on purpose");
          }
        },
        DispatcherType.REQUEST,
        DispatcherType.ASYNC);
  }

  @Test
  void async_filterInFrontThrowsBehindAStart_isReleased() throws Exception {
    addFailingFirst(DispatcherType.REQUEST);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  @Test
  void async_filterInFrontThrowsBehindADispatch_isReleased() throws Exception {
    addFailingFirst(DispatcherType.ASYNC);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals(500, client.read().status());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_filterInFrontThrowsBehindADispatchThatStartsAgain_isReleased() throws Exception {
    addFailingFirst(DispatcherType.ASYNC);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      assertFailure(client);
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

  private void assertWrittenBehindTheEndIsSent(Consumer<AsyncContext> complete) throws Exception {
    container.serve(
        "/completing",
        (request, response) -> {
          complete.accept(request.startAsync());
          response.getWriter().print("in flight: " + container.inFlight());
        });
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/completing");
      assertEquals("in flight: 1", client.read().body());
      container.awaitCounted(1);
    }
  }

  /** It takes effect when the dispatch has returned. */
  @Test
  void async_completedWithinALaterChain_isInFlightUntilThatIsThrough() throws Exception {
    assertWrittenBehindTheEndIsSent(AsyncContext::complete);
  }

  @Test
  void async_completedElsewhereWhileALaterChainRuns_isInFlightUntilThatIsThrough()
      throws Exception {
    assertWrittenBehindTheEndIsSent(
        context -> CompletableFuture.runAsync(context::complete).join());
  }

  @Test
  void async_clientGone_isReleasedAndNotWaitedFor() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
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
      container.awaitCounted(1);
    }
    container.drain().get();
  }

  @Test
  void async_clientGoneAndWriterUsed_isReleased() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      try {
        while (!context.getResponse().getWriter().checkError()) {
          print(context, "x".repeat(1000));
        }
      } catch (NullPointerException | IllegalStateException recycled) {
        // The container was faster: it has ended the request and taken the writer to pieces.
      }
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
