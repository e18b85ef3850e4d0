package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.RawClient.Reply;
import io.lastcall.servlet.TomcatFixture;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listener, idle and busy connections, as the drain needs them. */
@Timeout(30)
class JettyServerTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private JettyFixture jetty;

  @BeforeEach
  void create() {
    jetty = new JettyFixture();
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    jetty.serve("/hold", this::hold);
    jetty.serve("/async", (request, response) -> started.add(request.startAsync()));
    jetty.serve(
        "/read",
        (request, response) -> {
          entered.countDown();
          int length = request.getInputStream().readAllBytes().length;
          response.getWriter().print(length);
        });
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    jetty.stop();
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

  private boolean drainLeavesNoneOwed() throws Exception {
    return jetty.drain().isDone();
  }

  @Test
  void start_jettysOwnHttp2_isRefused() throws Exception {
    JettyFixture other =
        new JettyFixture(new HttpConnectionFactory(), new HTTP2CServerConnectionFactory());
    IllegalStateException refused = assertThrows(IllegalStateException.class, other::start);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("HTTP2CServerConnectionFactory"), message);
    assertTrue(message.contains("LastcallHttp2ConnectionFactory"), message);
    other.stop();
  }

  @Test
  void name_always_saysThePort() throws Exception {
    jetty.connector.setPort(0);
    assertEquals("jetty:0", jetty.server.name());
    jetty.start();
    assertEquals("jetty:" + jetty.port(), jetty.server.name());
  }

  @Test
  void stopListening_openConnection_isServedOn() throws Exception {
    jetty.start();
    int port = jetty.port();
    try (RawClient client = jetty.client()) {
      client.exchange("/plain");
      jetty.server.stopListening(TomcatFixture.limit());
      assertThrows(ConnectException.class, () -> new RawClient(port));
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void stopListening_twice_isHarmless() throws Exception {
    jetty.start();
    jetty.server.stopListening(TomcatFixture.limit());
    jetty.server.stopListening(TomcatFixture.limit());
  }

  @Test
  void stopListening_connectionsQueued_allAreServed() throws Exception {
    jetty.start();
    List<RawClient> clients = new ArrayList<>();
    // The acceptor stops behind the connection it may wait for; the others stay in the queue.
    jetty.connector.setAccepting(false);
    try {
      for (int i = 0; i < 50; i++) {
        clients.add(jetty.client().get("/plain"));
      }
      CompletableFuture<?> ended = jetty.drain();
      for (RawClient client : clients) {
        assertEquals("plain", client.read().body());
        assertTrue(client.ended());
      }
      ended.get();
    } finally {
      for (RawClient client : clients) {
        client.close();
      }
    }
    jetty.awaitCounted(50);
  }

  @Test
  void closeIfIdle_idle_endsByFinAndIsNotWaitedFor() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.exchange("/plain");
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
      assertEquals(1, jetty.server.connections().size(), "open until the peer ends it");
    }
    await().until(() -> jetty.server.connections().isEmpty());
  }

  @Test
  void closeIfIdle_neverUsedConnection_endsByFin() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      await().until(() -> jetty.server.connections().size() == 1);
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  @Test
  void closeIfIdle_connectedAndAboutToSend_isServed() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      await().until(() -> jetty.server.connections().size() == 1);
      assertFalse(drainLeavesNoneOwed());
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::drainLeavesNoneOwed);
    }
  }

  @Test
  void closeIfIdle_requestRunning_isAnsweredFirst() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/hold");
      entered.await();
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      Reply reply = client.read();
      assertEquals("held", reply.body());
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_bodyHalfSent_isAnsweredFirst() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
      entered.await();
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      client.send("67890");
      assertEquals("10", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_headHalfSent_isAnsweredFirst() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.exchange("/plain");
      client.send("GET /plain HTT");
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      client.send("P/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_asyncRunning_isAnsweredFirst() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      context.getResponse().getWriter().print("later");
      context.complete();
      assertEquals("later", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestArrivedBefore_isAnsweredWhoeverIsFaster() throws Exception {
    jetty.start();
    for (int i = 0; i < 200; i++) {
      try (RawClient client = jetty.client()) {
        client.exchange("/plain");
        client.get("/plain");
        // Races with the selector that hands the request to a thread, and with that thread.
        jetty.server.connections().forEach(HttpConnection::closeIfIdle);
        assertEquals("plain", client.read().body());
      }
    }
  }

  @Test
  void closeIfIdle_requestCrossesOurFin_isNotRun() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.exchange("/plain");
      await().until(this::drainLeavesNoneOwed);
      client.get("/plain");
      assertTrue(client.ended(), "by a FIN, not by a reset");
    }
    await().until(() -> jetty.server.connections().isEmpty());
    assertEquals(1, jetty.control.started());
  }

  @Test
  void connectionsEnded_eventStreamOpen_doesNotWaitForIt() throws Exception {
    jetty.serve(
        "/sse",
        (request, response) -> {
          response.setContentType("text/event-stream");
          started.add(request.startAsync());
          response.flushBuffer();
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/sse").readHead();
      jetty.awaitCounted(1);
      jetty.drain().get();
      started.take().complete();
      assertEquals("", client.readChunk());
      assertTrue(client.ended(), "idle behind its stream, it is closed");
    }
  }

  @Test
  void connectionsEnded_becomesAnEventStreamLater_doesNotWaitForIt() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = jetty.drain();
      assertFalse(ended.isDone());
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      ended.get();
      context.complete();
    }
  }

  @Test
  void rehearse_beside_leavesNoThread() throws Exception {
    jetty.start();
    jetty.server.rehearse();
    await().until(() -> threadsNamed("lastcall-rehearsal") == 0);
    try (RawClient client = jetty.client()) {
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void stop_requestStuckInAServlet_doesNotWaitForIt() throws Exception {
    CountDownLatch returned = new CountDownLatch(1);
    jetty.serve(
        "/stuck",
        (request, response) -> {
          entered.countDown();
          while (goOn.getCount() > 0) {
            Thread.onSpinWait();
          }
          returned.countDown();
        });
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.get("/stuck");
      entered.await();
      jetty.server.stop(TomcatFixture.limit());
      assertEquals(1, returned.getCount());
      await().until(() -> threadsNamed("acceptor") == 0 && threadsIn("ManagedSelector") == 0);
    }
  }

  @Test
  void stop_drained_leavesNoThreadInNativeCode() throws Exception {
    jetty.start();
    try (RawClient client = jetty.client()) {
      client.exchange("/plain");
      jetty.drain().get();
      jetty.server.stop(TomcatFixture.limit());
      await().until(() -> threadsNamed("acceptor") == 0 && threadsIn("ManagedSelector") == 0);
    }
  }

  /** Live threads of this fixture or the rehearsal's whose names contain {@code part}. */
  private long threadsNamed(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(part))
        .filter(
            thread ->
                thread.getName().startsWith(jetty.threads.getName())
                    || thread.getName().startsWith("lastcall-rehearsal"))
        .count();
  }

  /** Threads of this fixture that are within a class of Jetty's. */
  private long threadsIn(String part) {
    return Thread.getAllStackTraces().entrySet().stream()
        .filter(entry -> entry.getKey().getName().startsWith(jetty.threads.getName()))
        .filter(
            entry ->
                List.of(entry.getValue()).stream()
                    .anyMatch(frame -> frame.getClassName().contains(part)))
        .count();
  }
}
