package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.LongLived;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A streamed answer is a request until it is known to have no end. */
public abstract class FiniteStreamContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  private static final String POST =
      "POST /chat HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n";

  /** The handlers have returned: until then the response is theirs alone. */
  private final CountDownLatch returned = new CountDownLatch(1);

  private void serveChat(String path, ContainerFixture.Service service) {
    container.serve(
        path,
        (request, response) -> {
          service.serve(request, response);
          returned.countDown();
        });
  }

  private void chat(HttpServletRequest request, HttpServletResponse response) throws IOException {
    response.setContentType("text/event-stream");
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    started.add(context);
    response.getWriter().print("data: 1\n\n");
    response.flushBuffer();
  }

  private boolean closeAll() {
    return container.connectionControl.closeAll(Duration.ZERO, ContainerFixture.limit());
  }

  /** The answer of a chat: its client would not come back for the rest. */
  @Test
  void eventStream_inAnswerToPost_isInFlightToItsEnd() throws Exception {
    serveChat("/chat", this::chat);
    container.start();
    try (RawClient client = container.client()) {
      client.send(POST).readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      AsyncContext context = takeStarted();
      returned.await();
      assertEquals(1, container.inFlight());
      assertEquals(0, container.connectionControl.connections().open());

      CompletableFuture<?> ended = container.drain();
      assertTrue(closeAll(), "nothing is to be closed");
      assertFalse(ended.isDone(), "its connection is waited for");
      PrintWriter out = context.getResponse().getWriter();
      out.print("data: [DONE]\n\n");
      context.complete();

      assertEquals("data: [DONE]\n\n", client.readChunk());
      assertEquals("", client.readChunk());
      assertTrue(client.ended());
      ended.get();
      container.awaitCounted(1);
    }
  }

  @Test
  void eventStream_onABlockingThreadInAnswerToPost_isInFlightToItsEnd() throws Exception {
    container.serve(
        "/chat",
        (request, response) -> {
          response.setContentType("text/event-stream");
          response.getOutputStream().print("data: 1\n\n");
          response.flushBuffer();
          ContainerFixture.block(entered, goOn);
          response.getOutputStream().print("data: [DONE]\n\n");
        });
    container.start();
    try (RawClient client = container.client()) {
      client.send(POST).readHead();
      assertEquals("data: 1\n\n", client.readChunk());
      CompletableFuture<?> ended = container.drain();
      assertTrue(closeAll());
      assertEquals(1, container.inFlight());
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("data: [DONE]\n\n", client.readChunk());
      assertEquals("", client.readChunk());
      ended.get();
    }
  }

  @Test
  void eventStream_inAnswerToGetAndMarkedFinite_isInFlightToItsEnd() throws Exception {
    serveChat(
        "/chat",
        (request, response) -> {
          assertTrue(LongLived.markFinite(request));
          chat(request, response);
          // A framework that sees the type marks it, too.
          assertFalse(LongLived.markEventStream(request));
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/chat").readHead();
      AsyncContext context = takeStarted();
      returned.await();
      container.leave();
      assertTrue(closeAll());
      assertEquals(1, container.inFlight());
      context.getResponse().getWriter().print("data: [DONE]\n\n");
      context.complete();
      assertEquals("data: 1\n\n", client.readChunk());
      assertEquals("data: [DONE]\n\n", client.readChunk());
      assertEquals("", client.readChunk());
      container.awaitCounted(1);
    }
  }

  @Test
  void markFinite_streamHasBegun_saysThatItIsTooLate() throws Exception {
    CompletableFuture<Boolean> marked = new CompletableFuture<>();
    container.serve(
        "/sse",
        (request, response) -> {
          chat(request, response);
          marked.complete(LongLived.markFinite(request));
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      assertFalse(marked.get());
      assertEquals(1, container.connectionControl.connections().open());
      assertTrue(closeAll());
    }
  }

  @Test
  void eventStream_inAnswerToPostAndMarkedLongLived_isNotInFlight() throws Exception {
    container.serve(
        "/chat",
        (request, response) -> {
          chat(request, response);
          assertTrue(LongLived.markEventStream(request));
        });
    container.start();
    try (RawClient client = container.client()) {
      client.send(POST).readHead();
      container.awaitCounted(1);
      assertEquals(1, container.connectionControl.connections().open());
      assertTrue(closeAll());
      assertEquals("data: 1\n\n", client.readChunk());
      assertEquals("", client.readChunk());
    }
  }

  /** A framework answers it as GET, and never completes it. */
  @Test
  void eventStream_inAnswerToHead_isNotInFlight() throws Exception {
    container.serve("/sse", this::chat);
    container.start();
    try (RawClient client = container.client()) {
      client.send("HEAD /sse HTTP/1.1\r\nHost: test\r\n\r\n");
      takeStarted();
      container.awaitCounted(1);
      assertEquals(1, container.connectionControl.connections().open());
      assertTrue(closeAll());
    }
  }
}
