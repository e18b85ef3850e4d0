package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture();
    tomcat.serve("/sse", this::startEvents);
  }

  @AfterEach
  void stop() throws Exception {
    told.countDown();
    tomcat.close();
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
    return tomcat.connectionControl.closeAll(Duration.ZERO, TomcatFixture.limit());
  }

  @Test
  void sse_asyncAndOpen_isNotInFlightButRegistered() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      tomcat.awaitCounted(1);
      assertEquals(1, tomcat.connectionControl.connections().open());
      assertTrue(tomcat.control.awaitIdle(TomcatFixture.limit()));
    }
  }

  @Test
  void sse_typeSetByHeaderOrByAFilterBefore_isLongLived() throws Exception {
    String type = "Text/Event-Stream";
    tomcat.serve("/set", (request, response) -> response.setHeader("content-type", type));
    tomcat.serve("/add", (request, response) -> response.addHeader("Content-Type", type));
    tomcat.serve("/before", (request, response) -> response.flushBuffer());
    tomcat.addFirst(
        "type",
        (request, response, chain) -> {
          if (((HttpServletRequest) request).getServletPath().equals("/before")) {
            response.setContentType(type);
          }
          chain.doFilter(request, response);
        });
    tomcat.start();
    List<String> paths = List.of("/set", "/add", "/before");
    BlockingQueue<String> longLived = new LinkedBlockingQueue<>();
    tomcat.filter.onLongLived(request -> longLived.add(request.getServletPath()));
    for (String path : paths) {
      try (RawClient client = tomcat.client()) {
        client.get(path).readHead();
      }
    }
    assertEquals(paths, List.copyOf(longLived));
  }

  @Test
  void sse_toldToClose_endsWithItsLastChunk() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      assertTrue(closeAll());
      assertEquals("", client.readChunk(), "the last chunk: a whole response");
      assertEquals(1L, tomcat.connectionControl.ended().get("sse"));
    }
  }

  @Test
  void sse_completedByTheApplication_isDeregistered() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      started.take().complete();
      await().until(() -> tomcat.connectionControl.connections().open() == 0);
      assertTrue(closeAll());
    }
  }

  @Test
  void sse_clientGone_isDeregisteredAtTheNextEvents() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      AsyncContext context = started.take();
      client.reset();
      await()
          .pollInterval(Duration.ofMillis(5))
          // Once it is over, Tomcat's objects for it are empty.
          .ignoreExceptions()
          .until(
              () -> {
                if (tomcat.connectionControl.connections().open() > 0) {
                  context.getResponse().getWriter().print("data: 2\n\n");
                  context.getResponse().getWriter().flush();
                }
                return tomcat.connectionControl.connections().open() == 0;
              });
    }
  }

  @Test
  void sse_onABlockingThread_endsAtItsNextWrite() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    tomcat.serve(
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
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/blocking").readHead();
      tomcat.awaitCounted(1);
      assertTrue(closeAll());
      ended.await();
    }
  }

  @Test
  void marked_toldToClose_runsTheApplicationsCallback() throws Exception {
    AtomicBoolean wasMarked = new AtomicBoolean();
    tomcat.serve(
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
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/poll");
      tomcat.awaitCounted(1);
      assertTrue(wasMarked.get());
      assertTrue(closeAll());
      assertEquals(0, told.getCount());
      assertEquals(200, client.read().status());
      assertEquals(1L, tomcat.connectionControl.ended().get("poll"));
    }
  }

  @Test
  void sse_beganWhileConnectionsAreClosed_isToldAtOnce() throws Exception {
    tomcat.start();
    tomcat.leave();
    assertTrue(closeAll());
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      await().until(() -> tomcat.connectionControl.connections().open() == 0);
      tomcat.awaitCounted(1);
    }
  }
}
