package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerAdapter;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.LongLived;
import io.lastcall.testing.Background;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Event streams are not in flight; they are told to end. */
public abstract class LongLivedContract<C extends ContainerFixture> extends ContainerContract<C> {
  private final CountDownLatch told = new CountDownLatch(1);

  @BeforeEach
  void serveEvents() {
    container.serve("/sse", this::startEvents);
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

  protected final boolean closeAll() {
    return container.connectionControl.closeAll(Duration.ZERO, ContainerFixture.limit());
  }

  @Test
  void sse_asyncAndOpen_isNotInFlightButRegistered() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      container.awaitCounted(1);
      assertEquals(1, container.connectionControl.connections().open());
      assertTrue(container.control.awaitIdle(ContainerFixture.limit()));
    }
  }

  @Test
  void sse_typeSetByHeaderOrByAFilterBefore_isLongLived() throws Exception {
    String type = "Text/Event-Stream";
    container.serve(
        "/set",
        (request, response) -> {
          response.setHeader("content-type", type);
          response.flushBuffer();
        });
    container.serve(
        "/add",
        (request, response) -> {
          response.addHeader("Content-Type", type);
          response.flushBuffer();
        });
    container.serve("/before", (request, response) -> response.flushBuffer());
    container.addFirst(
        "type",
        (request, response, chain) -> {
          if (((HttpServletRequest) request).getServletPath().equals("/before")) {
            response.setContentType(type);
          }
          chain.doFilter(request, response);
        });
    container.start();
    List<String> paths = List.of("/set", "/add", "/before");
    BlockingQueue<String> longLived = new LinkedBlockingQueue<>();
    container.filter.add(
        new ContainerAdapter() {
          @Override
          public void longLived(HttpServletRequest request) {
            longLived.add(request.getServletPath());
          }
        });
    for (String path : paths) {
      try (RawClient client = container.client()) {
        client.get(path).readHead();
      }
    }
    assertEquals(paths, List.copyOf(longLived));
  }

  /** On a thread of the application's, which comes to it late. */
  @Test
  void mark_asTheRequestEnds_connectionIsOneAsAnyOther() throws Exception {
    BlockingQueue<HttpServletRequest> requests = new LinkedBlockingQueue<>();
    container.serve(
        "/poll",
        (request, response) -> {
          started.add(request.startAsync());
          requests.add(request);
        });
    container.start();
    CountDownLatch marking = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    container.connectionControl.connections().onKind(kind -> ContainerFixture.block(marking, goOn));
    try (RawClient client = container.client()) {
      client.get("/poll");
      AsyncContext ending = takeStarted();
      HttpServletRequest request = requests.take();
      Background<Boolean> mark = Background.run(() -> LongLived.mark(request, "poll", () -> {}));
      marking.await();
      ending.complete();
      assertEquals(200, client.read().status());
      client.get("/poll");
      AsyncContext next = takeStarted();
      goOn.countDown();
      assertTrue(mark.result());
      assertEquals(0, container.connectionControl.connections().open());
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      next.complete();
      assertEquals(200, client.read().status());
    }
  }

  @Test
  void error_ofThatType_isARequestAsAnyOther() throws Exception {
    container.serve(
        "/error",
        (request, response) -> {
          response.setStatus(503);
          startEvents(request, response);
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/error").readHead();
      assertEquals(1, container.control.gate().inFlight());
      assertEquals(0, container.connectionControl.connections().open());
      takeStarted().complete();
    }
  }

  /** Jetty sends more than 8 KB past its buffer of 32 KB. */
  @Test
  void sse_firstEventNotBuffered_isLongLived() throws Exception {
    container.serve(
        "/snapshot",
        (request, response) -> {
          response.setContentType("text/event-stream");
          started.add(request.startAsync());
          response.getOutputStream().write(new byte[20_000]);
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/snapshot").readHead();
      container.awaitCounted(1);
      assertEquals(1, container.connectionControl.connections().open());
    }
  }

  /** As a framework may that unwraps what it is given. */
  @Test
  void sse_headFlushedPastOurResponse_isLongLived() throws Exception {
    container.serve(
        "/past",
        (request, response) -> {
          response.setContentType("text/event-stream");
          ((ServletResponseWrapper) response).getResponse().flushBuffer();
          started.add(request.startAsync());
          response.flushBuffer();
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/past").readHead();
      container.awaitCounted(1);
      assertEquals(1, container.connectionControl.connections().open());
    }
  }

  @Test
  void sse_toldToClose_endsWithItsLastChunk() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      assertTrue(closeAll());
      assertEquals("", client.readChunk(), "the last chunk: a whole response");
      assertEquals(1L, container.connectionControl.ended().get("sse"));
    }
  }

  @Test
  void sse_markedBeforeItsFirstEvent_isNotInFlightAndEndsAsAnEventStream() throws Exception {
    container.serve("/quiet", this::startQuietly);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/quiet");
      started.take();
      container.awaitCounted(1);
      assertTrue(container.control.awaitIdle(ContainerFixture.limit()));
      assertTrue(closeAll());
      RawClient.Reply reply = client.read();
      assertEquals(200, reply.status());
      assertEquals("text/event-stream", reply.header("content-type"));
      assertEquals("", reply.body());
      assertEquals(1L, container.connectionControl.ended().get("sse"));
    }
  }

  @Test
  void sse_markedAndThenBegun_isOneStream() throws Exception {
    container.serve("/quiet", this::startQuietly);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/quiet");
      AsyncContext context = started.take();
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().getWriter().print("data: 1\n\n");
      context.getResponse().flushBuffer();
      client.readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      assertEquals(1, container.connectionControl.connections().open());
      assertTrue(closeAll());
      assertEquals("", client.readChunk());
    }
  }

  /** As Spring does with an emitter: nothing is said before the first event. */
  private void startQuietly(HttpServletRequest request, HttpServletResponse response) {
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    assertTrue(LongLived.markEventStream(request));
    started.add(context);
  }

  @Test
  void sse_toldToCloseBehindTheDrain_endsWithItsLastChunkAndAFin() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      container.awaitCounted(1);
      container.drain().get();
      assertTrue(closeAll());
      assertEquals("", client.readChunk());
      assertTrue(client.ended());
      assertEquals(1L, container.connectionControl.ended().get("sse"));
    }
  }

  /** A listener may wait for whoever writes: that one must be told, and not wait in its turn. */
  @Test
  void sse_listenerWaitsForAWriter_neitherHangs() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      AsyncContext context = started.take();
      PrintWriter out = context.getResponse().getWriter();
      Thread writer = new Thread(() -> out.print("data: 2\n\n"));
      context.addListener(new WaitsFor(writer));
      assertTrue(closeAll());
    }
  }

  /** A formatter holds the stream while it asks its arguments for their text. */
  @Test
  void sse_oneThreadFormatsAndOnePrints_neitherHangs() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      PrintWriter out = started.take().getResponse().getWriter();
      CountDownLatch formats = new CountDownLatch(1);
      Thread printer = new Thread(() -> out.print("data: 2\n\n"));
      Object argument =
          new Object() {
            @Override
            public String toString() {
              formats.countDown();
              await().until(() -> printer.getState() == Thread.State.WAITING);
              return "3";
            }
          };
      Thread formatter = new Thread(() -> out.format("data: %s\n\n", argument));
      formatter.start();
      formats.await();
      printer.start();
      join(formatter);
      join(printer);
      assertTrue(closeAll());
    }
  }

  /** Who writes when the end is told completes the stream, and must let go of the writer first. */
  @Test
  void sse_toldToCloseWhileOneWritesAndAListenerWaitsForAnother_noneHangs() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      AsyncContext context = started.take();
      PrintWriter out = context.getResponse().getWriter();
      CountDownLatch formats = new CountDownLatch(1);
      Object argument =
          new Object() {
            @Override
            public String toString() {
              formats.countDown();
              await().until(container.connectionControl::areAllToldToClose);
              return "2";
            }
          };
      context.addListener(new WaitsFor(new Thread(() -> out.print("data: 3\n\n"))));
      Thread formatter = new Thread(() -> out.format("data: %s\n\n", argument));
      formatter.start();
      formats.await();
      assertTrue(closeAll());
      join(formatter);
    }
  }

  private static final class WaitsFor extends QuietListener {
    private final Thread writer;

    WaitsFor(Thread writer) {
      this.writer = writer;
    }

    @Override
    public void onComplete(AsyncEvent event) {
      writer.start();
      join(writer);
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }

  @Test
  void sse_completedByTheApplication_isDeregistered() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      started.take().complete();
      await().until(() -> container.connectionControl.connections().open() == 0);
      assertTrue(closeAll());
    }
  }

  @Test
  void sse_clientGone_isDeregisteredAtTheNextEvents() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      AsyncContext context = started.take();
      client.reset();
      await()
          .pollInterval(Duration.ofMillis(5))
          // Once it is over, the container's objects for it are empty, or refuse.
          .ignoreExceptions()
          .until(
              () -> {
                if (container.connectionControl.connections().open() > 0) {
                  context.getResponse().getWriter().print("data: 2\n\n");
                  context.getResponse().getWriter().flush();
                }
                return container.connectionControl.connections().open() == 0;
              });
    }
  }

  @Test
  void sse_onABlockingThread_endsAtItsNextWrite() throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    container.serve(
        "/blocking",
        (request, response) -> {
          response.setContentType("text/event-stream;charset=utf-8");
          try {
            while (true) {
              response.getOutputStream().print("data: x\n\n");
              response.flushBuffer();
              goOn.await(5, TimeUnit.MILLISECONDS);
            }
          } catch (IOException | InterruptedException end) {
            ended.countDown();
          }
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/blocking").readHead();
      container.awaitCounted(1);
      assertTrue(closeAll());
      ended.await();
    }
  }

  /** A writer throws nothing: its user has to ask. */
  @Test
  void sse_onABlockingThread_endsWhenItAsksItsWriter() throws Exception {
    container.serve(
        "/asking",
        (request, response) -> {
          response.setContentType("text/event-stream;charset=utf-8");
          PrintWriter out = response.getWriter();
          try {
            while (!out.checkError()) {
              out.print("data: x\n\n");
              goOn.await(5, TimeUnit.MILLISECONDS);
            }
          } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
          }
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/asking").readHead();
      container.awaitCounted(1);
      assertTrue(closeAll());
    }
  }

  /** Until the container has sent the last chunk, nothing may cut the connection. */
  @Test
  void sse_toldToCloseAndWrittenOn_isOpenUntilTheContainerEndsIt() throws Exception {
    CompletableFuture<Integer> openBehindTheWrite = new CompletableFuture<>();
    container.serve(
        "/at-work",
        (request, response) -> {
          startEvents(request, response);
          ContainerFixture.block(entered, goOn);
          assertThrows(IOException.class, response::flushBuffer);
          openBehindTheWrite.complete(container.connectionControl.connections().open());
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/at-work").readHead();
      entered.await();
      CompletableFuture<Boolean> closed = CompletableFuture.supplyAsync(this::closeAll);
      await().until(container.connectionControl::areAllToldToClose);
      goOn.countDown();
      assertEquals(1, openBehindTheWrite.get());
      assertTrue(closed.get());
      assertEquals("data: 1\n\n", client.readChunk());
      assertEquals("", client.readChunk());
    }
  }

  @Test
  void marked_toldToClose_runsTheApplicationsCallback() throws Exception {
    CompletableFuture<Boolean> wasMarked = new CompletableFuture<>();
    container.serve(
        "/poll",
        (request, response) -> {
          AsyncContext context = request.startAsync();
          wasMarked.complete(
              LongLived.mark(
                  request,
                  "poll",
                  () -> {
                    told.countDown();
                    context.complete();
                  }));
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/poll");
      assertTrue(wasMarked.get());
      container.awaitCounted(1);
      assertTrue(closeAll());
      assertEquals(0, told.getCount());
      assertEquals(200, client.read().status());
      assertEquals(1L, container.connectionControl.ended().get("poll"));
    }
  }

  @Test
  void sse_beganWhileConnectionsAreClosed_isToldAtOnce() throws Exception {
    container.start();
    container.leave();
    assertTrue(closeAll());
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      await().until(() -> container.connectionControl.connections().open() == 0);
      container.awaitCounted(1);
    }
  }
}
