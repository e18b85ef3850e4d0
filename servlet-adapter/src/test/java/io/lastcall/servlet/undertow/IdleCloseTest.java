package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.OptionMap;

/** Which connections are closed, and that no request is lost by it. */
@Timeout(30)
class IdleCloseTest {
  /** Can be sent only to somebody who reads: whoever is reset does not get through with it. */
  private static final String MORE_THAN_BUFFERS_HOLD = "x".repeat(20_000_000);

  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = prepared(new UndertowFixture());
  }

  private UndertowFixture prepared(UndertowFixture fixture) {
    return fixture
        .serve("/plain", (request, response) -> response.getWriter().print("plain"))
        .serve("/hold", this::hold)
        .serve("/async", (request, response) -> started.add(request.startAsync()))
        .serve(
            "/read",
            (request, response) -> {
              entered.countDown();
              int length = request.getInputStream().readAllBytes().length;
              response.getWriter().print(length);
            });
  }

  private void restart(OptionMap options, int workers) throws Exception {
    undertow.close();
    undertow = prepared(new UndertowFixture(options, workers)).start();
  }

  @AfterEach
  void stop() throws Exception {
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
  void closeIfIdle_idle_endsByFinAndIsNotWaitedFor() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      await().until(this::closeIdleLeavesNoneOwed);
      assertTrue(client.ended());
      assertTrue(undertow.drain().isDone());
      assertEquals(1, undertow.server.connections().size(), "open until the peer ends it");
    }
    await().until(() -> undertow.server.connections().isEmpty());
  }

  private boolean closeIdleLeavesNoneOwed() throws IOException {
    return undertow.drain().isDone();
  }

  @Test
  void closeIfIdle_neverUsedConnection_endsByFin() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      await().until(() -> undertow.server.connections().size() == 1);
      await().until(this::closeIdleLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  @Test
  void closeIfIdle_connectedAndAboutToSend_isServed() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      await().until(() -> undertow.server.connections().size() == 1);
      assertFalse(closeIdleLeavesNoneOwed());
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::closeIdleLeavesNoneOwed);
    }
  }

  @Test
  void closeIfIdle_requestRunning_isAnsweredFirst() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/hold");
      entered.await();
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_bodyHalfSent_isAnsweredFirst() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
      entered.await();
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      client.send("67890");
      assertEquals("10", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_headHalfSent_isAnsweredFirst() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      client.send("GET /plain HTT");
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      undertow.tellOnceMore();
      client.send("P/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_asyncRunning_isAnsweredFirst() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      context.getResponse().getWriter().print("later");
      context.complete();
      assertEquals("later", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestArrivedButNoWorkerFree_isAnswered() throws Exception {
    restart(OptionMap.EMPTY, 1);
    try (RawClient holder = undertow.client();
        RawClient waiting = undertow.client()) {
      holder.get("/hold");
      entered.await();
      waiting.get("/plain");
      CompletableFuture<?> ended = undertow.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", holder.read().body());
      assertEquals("plain", waiting.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestInTheKernelsBuffer_isAnswered() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      CompletableFuture<?> ended = undertow.drainBehind(() -> client.get("/plain"));
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
    undertow.awaitCounted(2);
  }

  @Test
  void closeIfIdle_oneByteInTheKernelsBuffer_isWaitedForAndAnswered() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      CompletableFuture<?> ended = undertow.drainBehind(() -> client.send("G"));
      assertFalse(ended.isDone());
      undertow.tellOnceMore();
      assertFalse(ended.isDone());
      client.send("ET /plain HTTP/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_peerHasEnded_isClosed() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      undertow.drainBehind(client::close).get();
    }
    undertow.awaitConnections(0);
  }

  @Test
  void closeIfIdle_pipelinedRequests_firstSaysCloseAndIsTheLast() throws Exception {
    undertow.start();
    String request = "GET /plain HTTP/1.1\r\nHost: test\r\n\r\n";
    try (RawClient client = undertow.client()) {
      client.send(request + request);
      assertEquals("plain", client.read().body());
      assertEquals("plain", client.read().body());
      undertow.leave();
      client.send(request + request);
      assertTrue(client.read().saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void response_withoutBody_saysCloseAndIsTheLast() throws Exception {
    undertow.serve("/empty", (request, response) -> response.setStatus(204)).start();
    undertow.leave();
    try (RawClient client = undertow.client()) {
      assertTrue(client.exchange("/empty").saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void response_saysCloseAndMoreComes_endsByFinNotByReset() throws Exception {
    undertow.start();
    undertow.leave();
    try (RawClient client = undertow.client()) {
      assertTrue(client.exchange("/plain").saysClose());
      client.get("/plain").send(MORE_THAN_BUFFERS_HOLD);
      assertTrue(client.ended());
    }
    undertow.awaitConnections(0);
    assertEquals(1, undertow.control.started());
  }

  @Test
  void closeIfIdle_requestCrossesOurFin_isNotRun() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      await().until(this::closeIdleLeavesNoneOwed);
      client.get("/plain").send(MORE_THAN_BUFFERS_HOLD);
      assertTrue(client.ended(), "by a FIN, not by a reset");
    }
    await().until(() -> undertow.server.connections().isEmpty());
    assertEquals(1, undertow.control.started());
  }
}
