package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.RawClient.Reply;
import io.lastcall.servlet.ShutdownFilter;
import io.undertow.servlet.api.ErrorPage;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One permit per request, from its entry to its completed response. */
@Timeout(30)
class CountingTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = new UndertowFixture();
    undertow.serve("/plain", (request, response) -> response.getWriter().print("plain"));
  }

  @AfterEach
  void stop() {
    goOn.countDown();
    undertow.close();
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

  @Test
  void sync_running_isInFlightWithItsNameAndThread() throws Exception {
    undertow.serve("/hold", this::hold).start();
    try (RawClient client = undertow.client()) {
      client.get("/hold");
      entered.await();
      InFlightRequest running = undertow.control.running().get(0);
      assertEquals("GET /hold", running.description());
      assertTrue(running.thread().orElseThrow().getName().contains("task"));
      assertTrue(running.age().orElseThrow().compareTo(Duration.ZERO) > 0);
      goOn.countDown();
      assertEquals("held", client.read().body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsException_isReleased() throws Exception {
    undertow.serve(
        "/fail",
        (request, response) -> {
          throw new ServletException("on purpose");
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals(500, client.exchange("/fail").status());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_chainThrowsError_isReleased() throws Exception {
    undertow.serve(
        "/fail",
        (request, response) -> {
          throw new AssertionError("on purpose");
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals(500, client.exchange("/fail").status());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_sendErrorWithPage_isCountedOnceAndThePageArrives() throws Exception {
    undertow.serve("/missing", (request, response) -> response.sendError(404));
    undertow.serve("/page", (request, response) -> response.getWriter().print("the page"));
    undertow.deployment.addErrorPage(new ErrorPage("/page", 404));
    undertow.start();
    undertow.leave();
    try (RawClient client = undertow.client()) {
      Reply reply = client.exchange("/missing");
      assertEquals(404, reply.status());
      assertEquals("the page", reply.body());
      assertTrue(reply.saysClose());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_forwardAndInclude_isCountedOnce() throws Exception {
    undertow.serve(
        "/both",
        (request, response) -> {
          request.getRequestDispatcher("/plain").include(request, response);
          request.getRequestDispatcher("/inner").include(request, response);
        });
    undertow.serve(
        "/inner",
        (request, response) -> response.getWriter().print(" in flight " + undertow.inFlight()));
    undertow.serve(
        "/forward",
        (request, response) -> request.getRequestDispatcher("/inner").forward(request, response));
    undertow.start();
    try (RawClient client = undertow.client()) {
      assertEquals("plain in flight 1", client.exchange("/both").body());
      assertEquals(" in flight 1", client.exchange("/forward").body());
      undertow.awaitCounted(2);
    }
  }

  @Test
  void sync_filterTwiceInTheChain_isCountedOnce() throws Exception {
    ShutdownFilter second =
        new ShutdownFilter(
            undertow.control.gate(), undertow.probes, undertow.connectionControl.connections());
    undertow.add("second", second, DispatcherType.REQUEST).start();
    try (RawClient client = undertow.client()) {
      assertEquals("plain", client.exchange("/plain").body());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_flushedWhileRunning_staysInFlight() throws Exception {
    undertow.serve(
        "/flush",
        (request, response) -> {
          response.getWriter().print("first");
          response.flushBuffer();
          hold(request, response);
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      assertEquals(1, undertow.inFlight());
      goOn.countDown();
      assertEquals("held", client.readChunk());
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_clientGone_isReleased() throws Exception {
    undertow.serve(
        "/endless",
        (request, response) -> {
          entered.countDown();
          while (!Thread.currentThread().isInterrupted()) {
            response.getOutputStream().write(new byte[10_000]);
          }
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/endless");
      entered.await();
      client.reset();
      undertow.awaitCounted(1);
    }
  }

  @Test
  void sync_ending_isWrittenOutBeforeItsRelease() throws Exception {
    undertow.serve("/small", (request, response) -> response.getWriter().print("small"));
    undertow.addFirst(
        "outside",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          assertEquals(undertow.control.gate().isEnding(), response.isCommitted());
          // What the container would do by itself is held up: the client has it all the same.
          hold((HttpServletRequest) request, (HttpServletResponse) response);
        });
    undertow.start();
    undertow.leave();
    try (RawClient client = undertow.client()) {
      Reply reply = client.exchange("/small");
      assertEquals("small", reply.body());
      assertEquals("5", reply.header("content-length"));
      undertow.awaitCounted(1);
      goOn.countDown();
      assertTrue(client.ended());
    }
  }

  @Test
  void late_gateRefuses_gets503WithRetryAfterAndClose() throws Exception {
    undertow.start();
    undertow.leave();
    undertow.control.refuse();
    try (RawClient client = undertow.client()) {
      Reply reply = client.exchange("/plain");
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
      assertEquals(1, undertow.control.refused());
    }
  }

  @Test
  void probe_any_isNotCountedAndAnsweredToTheEnd() throws Exception {
    undertow.serveProbes().start();
    undertow.leave();
    undertow.control.close();
    undertow.ready.set(false);
    try (RawClient client = undertow.client();
        RawClient other = undertow.client()) {
      assertEquals(200, client.exchange("/livez").status());
      assertEquals(503, other.exchange("/readyz").status());
      assertThrows(EOFException.class, () -> other.exchange("/startupz"), "told to close");
      assertEquals(0, undertow.control.started());
    }
  }
}
