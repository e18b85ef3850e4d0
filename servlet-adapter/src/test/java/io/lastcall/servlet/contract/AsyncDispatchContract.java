package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** One permit per asynchronous request, however often it is dispatched and started again. */
public abstract class AsyncDispatchContract<C extends ContainerFixture>
    extends ContainerContract<C> {
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
  void async_dispatchedToASyncServlet_isReleased() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals("plain", client.read().body());
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
}
