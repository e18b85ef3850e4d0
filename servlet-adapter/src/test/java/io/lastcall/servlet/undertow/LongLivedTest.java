package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.LongLived;
import io.lastcall.servlet.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams are not in flight; they are told to end. */
@Timeout(30)
class LongLivedTest {
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private final CountDownLatch told = new CountDownLatch(1);
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = new UndertowFixture();
    undertow.serve("/sse", this::startEvents);
  }

  @AfterEach
  void stop() {
    told.countDown();
    undertow.close();
  }

  private void startEvents(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/event-stream");
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    started.add(context);
    response.getWriter().print("data: 1\n\n");
    response.flushBuffer();
  }

  private boolean closeAll() {
    return undertow.connectionControl.closeAll(Duration.ZERO, UndertowFixture.limit());
  }

  @Test
  void sse_asyncAndOpen_isNotInFlightButRegistered() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      undertow.awaitCounted(1);
      assertEquals(1, undertow.connectionControl.connections().open());
      assertTrue(undertow.control.awaitIdle(UndertowFixture.limit()));
    }
  }

  @Test
  void sse_toldToClose_endsWithItsLastChunk() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      assertTrue(closeAll());
      assertEquals("", client.readChunk(), "the last chunk: a whole response");
      assertEquals(1L, undertow.connectionControl.ended().get("sse"));
    }
  }

  @Test
  void sse_completedByTheApplication_isDeregistered() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      started.take().complete();
      await().until(() -> undertow.connectionControl.connections().open() == 0);
      assertTrue(closeAll());
    }
  }

  @Test
  void sse_clientGone_isDeregisteredAtTheNextEvents() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      AsyncContext context = started.take();
      client.reset();
      await()
          .pollInterval(Duration.ofMillis(5))
          // Once it is over, Undertow's objects for it refuse.
          .ignoreExceptions()
          .until(
              () -> {
                if (undertow.connectionControl.connections().open() > 0) {
                  context.getResponse().getWriter().print("data: 2\n\n");
                  context.getResponse().getWriter().flush();
                }
                return undertow.connectionControl.connections().open() == 0;
              });
    }
  }

  @Test
  void sse_onABlockingThread_endsAtItsNextWrite() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    undertow.serve(
        "/blocking",
        (request, response) -> {
          response.setContentType("text/event-stream;charset=utf-8");
          try {
            while (true) {
              response.getOutputStream().print("data: x\n\n");
              response.flushBuffer();
              told.await(5, TimeUnit.MILLISECONDS);
            }
          } catch (IOException | InterruptedException end) {
            ended.countDown();
          }
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/blocking").readHead();
      undertow.awaitCounted(1);
      assertTrue(closeAll());
      ended.await();
    }
  }

  @Test
  void marked_toldToClose_runsTheApplicationsCallback() throws Exception {
    AtomicBoolean wasMarked = new AtomicBoolean();
    undertow.serve(
        "/poll",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          wasMarked.set(
              LongLived.mark(
                  request,
                  "poll",
                  () -> {
                    told.countDown();
                    context.complete();
                  }));
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/poll");
      undertow.awaitCounted(1);
      assertTrue(wasMarked.get());
      assertTrue(closeAll());
      assertEquals(0, told.getCount());
      assertEquals(200, client.read().status());
      assertEquals(1L, undertow.connectionControl.ended().get("poll"));
    }
  }

  @Test
  void sse_beganWhileConnectionsAreClosed_isToldAtOnce() throws Exception {
    undertow.start();
    undertow.leave();
    assertTrue(closeAll());
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      await().until(() -> undertow.connectionControl.connections().open() == 0);
      undertow.awaitCounted(1);
    }
  }
}
