package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** One permit per request, from its entry to its completed response. */
public abstract class CountingContract<C extends ContainerFixture> extends ContainerContract<C> {

  @Test
  void sync_running_isInFlightWithItsNameAndThread() throws Exception {
    BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();
    container.serve(
        "/named",
        (request, response) -> {
          threads.add(Thread.currentThread());
          hold(request, response);
        });
    container.start();
    try (RawClient client = container.client()) {
      long sent = System.nanoTime();
      client.get("/named");
      entered.await();
      InFlightRequest running = container.control.running().get(0);
      assertEquals("GET /named", running.description());
      assertEquals(threads.take(), running.thread().orElseThrow());
      Duration age = running.age().orElseThrow();
      assertTrue(age.compareTo(Duration.ZERO) > 0, age::toString);
      assertTrue(age.toNanos() <= System.nanoTime() - sent, age::toString);
      goOn.countDown();
      assertEquals("held", client.read().body());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsException_isReleased() throws Exception {
    container.serve(
        "/fail",
        (request, response) -> {
          throw new ServletException("on purpose");
        });
    container.start();
    try (RawClient client = container.client()) {
      assertEquals(500, client.exchange("/fail").status());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsError_isReleased() throws Exception {
    container.serve("/fail", CountingContract::throwError).start();
    try (RawClient client = container.client()) {
      assertEquals(500, client.exchange("/fail").status());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsErrorWhileLeaving_isReleasedAndSaysClose() throws Exception {
    container.serve("/fail", CountingContract::throwError).start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/fail");
      assertEquals(500, reply.status());
      assertTrue(reply.saysClose());
      container.awaitCounted(1);
    }
  }

  private static void throwError(HttpServletRequest request, HttpServletResponse response) {
    throw new AssertionError("on purpose");
  }

  @Test
  void sync_sendErrorWithPage_isCountedOnceAndThePageArrives() throws Exception {
    container.serve("/missing", (request, response) -> response.sendError(404));
    container.serve("/page", (request, response) -> response.getWriter().print("the page"));
    container.addErrorPage(404, "/page").start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/missing");
      assertEquals(404, reply.status());
      assertEquals("the page", reply.body());
      assertTrue(reply.saysClose());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_forwardAndInclude_isCountedOnce() throws Exception {
    container.serve(
        "/both",
        (request, response) -> {
          request.getRequestDispatcher("/plain").include(request, response);
          request.getRequestDispatcher("/inner").include(request, response);
        });
    container.serve(
        "/inner",
        (request, response) -> response.getWriter().print(" in flight " + container.inFlight()));
    container.serve(
        "/forward",
        (request, response) -> request.getRequestDispatcher("/inner").forward(request, response));
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("plain in flight 1", client.exchange("/both").body());
      assertEquals(" in flight 1", client.exchange("/forward").body());
      container.awaitCounted(2);
    }
  }

  @Test
  void sync_filterTwiceInTheChain_isCountedOnce() throws Exception {
    container.addFilter("second", container.anotherFilter(), DispatcherType.REQUEST).start();
    try (RawClient client = container.client()) {
      assertEquals("plain", client.exchange("/plain").body());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_flushedWhileRunning_staysInFlight() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      assertEquals(1, container.inFlight());
      goOn.countDown();
      assertEquals("held", client.readChunk());
      container.awaitCounted(1);
    }
  }

  @Test
  void sync_clientGone_isReleasedAndNotWaitedFor() throws Exception {
    container.serve(
        "/endless",
        (request, response) -> {
          entered.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            response.getOutputStream().write(new byte[10_000]);
          }
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/endless");
      entered.await();
      client.reset();
      container.awaitCounted(1);
    }
    container.drain().get();
  }

  @Test
  void sync_ending_isWrittenOutBeforeItsRelease() throws Exception {
    container.serve("/small", (request, response) -> response.getWriter().print("small"));
    container.addFirst(
        "outside",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          assertEquals(container.control.gate().isEnding(), response.isCommitted());
          // What the container would do by itself is held up: the client has it all the same.
          hold((HttpServletRequest) request, (HttpServletResponse) response);
        });
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/small");
      assertEquals("small", reply.body());
      container.awaitCounted(1);
      goOn.countDown();
      assertTrue(client.ended());
    }
  }

  @Test
  void late_gateRefuses_gets503WithRetryAfterAndClose() throws Exception {
    container.start();
    container.leave();
    container.control.refuse();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/plain");
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
      assertEquals(1, container.control.refused());
    }
  }

  @Test
  void probe_any_isNotCountedAndAnsweredToTheEnd() throws Exception {
    container.serveProbes().start();
    container.leave();
    container.control.close();
    container.ready.set(false);
    try (RawClient client = container.client();
        RawClient other = container.client()) {
      assertEquals(200, client.exchange("/livez").status());
      Reply red = other.exchange("/readyz");
      assertEquals(503, red.status());
      assertTrue(red.saysClose());
      assertTrue(other.ended());
      assertEquals(0, container.control.started());
    }
  }
}
