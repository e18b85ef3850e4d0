package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Responses that leave long behind their servlets: those were done before the shutdown began, so
 * nothing of them is in flight. The containers speak HTTP/1.1 and h2c.
 */
public abstract class AnsweringContract<C extends ContainerFixture> extends ContainerContract<C> {
  private static final int MORE_THAN_SOCKETS_HOLD = 20_000_000;

  /** RFC 9113, section 6.9.2: a window begins with 65,535. */
  private static final int MORE_THAN_A_WINDOW = 100_000;

  private static void buffer(HttpServletResponse response, int length) throws IOException {
    response.setBufferSize(length + 1);
    byte[] part = new byte[1000];
    Arrays.fill(part, (byte) 'x');
    for (int written = 0; written < length; written += part.length) {
      response.getOutputStream().write(part);
    }
  }

  @Test
  void isAnswering_clientDoesNotRead_untilItHasReadAll() throws Exception {
    container
        .serve("/buffered", (request, response) -> buffer(response, MORE_THAN_SOCKETS_HOLD))
        .start();
    try (RawClient client = container.client()) {
      client.get("/buffered");
      container.awaitCounted(1);
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      // Counted when the servlet is done; the container has yet to write.
      await().until(() -> container.answering() == 1);
      assertEquals(MORE_THAN_SOCKETS_HOLD, client.read().body().length());
      assertTrue(client.ended());
      ended.get();
      assertEquals(0, container.answering());
    }
  }

  @Test
  void isAnswering_http2ClientOpensNoWindow_untilItHas() throws Exception {
    container
        .serve("/buffered", (request, response) -> buffer(response, MORE_THAN_A_WINDOW))
        .start();
    try (RawHttp2Client client = new RawHttp2Client(container.port())) {
      client.get(1, "/buffered");
      container.awaitCounted(1);
      CompletableFuture<?> ended = container.drain();
      client.ack(client.await(RawHttp2Client.PING));
      assertFalse(ended.isDone());
      // Counted when the servlet is done; the container has yet to write.
      await().until(() -> container.answering() == 1);
      client.openWindow(0, MORE_THAN_A_WINDOW);
      client.awaitSeen();
      assertEquals(1, container.answering(), "the stream has a window of its own");
      client.openWindow(1, MORE_THAN_A_WINDOW);
      assertFalse(client.body(1).isEmpty());
      assertTrue(client.endsAtLast());
      ended.get();
      assertEquals(0, container.answering());
    }
  }

  @Test
  void isAnswering_http2ClientsOtherStreamHasTakenTheWindow_untilItOpensIt() throws Exception {
    container.serve("/half", (request, response) -> buffer(response, MORE_THAN_A_WINDOW / 2));
    container.start();
    try (RawHttp2Client client = new RawHttp2Client(container.port())) {
      client.get(1, "/half").get(3, "/half");
      container.awaitCounted(2);
      CompletableFuture<?> ended = container.drain();
      client.ack(client.await(RawHttp2Client.PING));
      assertFalse(ended.isDone());
      await().until(() -> container.answering() == 1);
      client.openWindow(0, MORE_THAN_A_WINDOW);
      assertTrue(client.endsAtLast());
      ended.get();
      assertEquals(0, container.answering());
    }
  }

  @Test
  void isAnswering_eventStream_no() throws Exception {
    container.serveEvents("/sse", started);
    container.start();
    try (RawClient client = container.client();
        RawClient halfAsked = container.client()) {
      client.get("/sse").readHead();
      container.awaitCounted(1);
      halfAsked.send("GET /plain HTT");
      CompletableFuture<?> ended = container.drain();
      container.tellOnceMore();
      assertFalse(ended.isDone());
      await().until(() -> container.answering() == 0);
    }
  }

  /** As another application of the same server does, which has no filter. */
  private void holdInFront() {
    container.addFirst(
        "uncounted",
        (request, response, chain) -> {
          ContainerFixture.block(entered, goOn);
          response.getWriter().print("uncounted");
        });
  }

  @Test
  void isAnswering_requestThatNobodyCounts_untilItIsAnswered() throws Exception {
    holdInFront();
    container.start();
    try (RawClient client = container.client()) {
      client.get("/plain");
      entered.await();
      assertHeldUntilAnswered(goOn::countDown, client);
    }
  }

  @Test
  void isAnswering_asyncRequestThatNobodyCounts_untilItIsAnswered() throws Exception {
    container.addFirst(
        "uncounted", (request, response, chain) -> started.add(request.startAsync()));
    container.start();
    try (RawClient client = container.client()) {
      client.get("/plain");
      AsyncContext context = takeStarted();
      assertHeldUntilAnswered(
          () -> {
            print(context, "uncounted");
            context.complete();
          },
          client);
    }
  }

  private void assertHeldUntilAnswered(ContainerFixture.ClientAction answer, RawClient client)
      throws Exception {
    CompletableFuture<?> ended = container.drain();
    assertEquals(0, container.control.started());
    await().until(() -> container.answering() == 1);
    assertFalse(ended.isDone());
    answer.run();
    assertEquals("uncounted", client.read().body());
    ended.get();
    assertEquals(0, container.answering());
  }

  @Test
  void isAnswering_http2RequestThatNobodyCounts_untilItIsAnswered() throws Exception {
    holdInFront();
    container.start();
    try (RawHttp2Client client = new RawHttp2Client(container.port())) {
      client.get(1, "/plain");
      entered.await();
      CompletableFuture<?> ended = container.drain();
      client.ack(client.await(RawHttp2Client.PING));
      await().until(() -> container.answering() == 1);
      goOn.countDown();
      assertEquals("uncounted", client.body(1));
      assertTrue(client.endsAtLast());
      ended.get();
    }
  }

  @Test
  void isAnswering_clientOfARequestThatNobodyCountsHasGone_no() throws Exception {
    holdInFront();
    container.start();
    try (RawClient client = container.client()) {
      client.get("/plain");
      entered.await();
      container.drain();
      await().until(() -> container.answering() == 1);
    }
    await().until(() -> container.answering() == 0);
  }

  @Test
  void isAnswering_answeredBeforeItsBodyHasCome_no() throws Exception {
    container.start();
    CompletableFuture<?> ended;
    try (RawClient client = container.client()) {
      client.send("POST /plain HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nhalf");
      assertEquals("plain", client.read().body());
      ended = container.drain();
      await().until(() -> container.answering() == 0);
    }
    ended.get();
  }

  @Test
  void isAnswering_idleOrHalfAsked_no() throws Exception {
    container.start();
    try (RawClient idle = container.client();
        RawClient halfAsked = container.client();
        RawHttp2Client http2 = new RawHttp2Client(container.port())) {
      idle.exchange("/plain");
      halfAsked.exchange("/plain");
      halfAsked.send("GET /plain HTT");
      http2.get(1, "/plain");
      assertEquals(5, http2.response(1));
      CompletableFuture<?> ended = container.drain();
      container.tellOnceMore();
      assertFalse(ended.isDone());
      // A worker may still be at what has come last.
      await().until(() -> container.answering() == 0);
    }
  }
}
