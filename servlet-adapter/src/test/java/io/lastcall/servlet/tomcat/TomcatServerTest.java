package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawClient;
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
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Listener, idle and busy connections, as the drain needs them. */
@Timeout(30)
class TomcatServerTest {
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture();
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve("/hold", this::hold);
    tomcat.serve("/async", (request, response) -> started.add(request.startAsync()));
    tomcat.serve(
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
    tomcat.close();
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

  private CompletableFuture<?> stopAndCloseIdle() throws IOException {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  @Test
  void create_otherProtocol_isRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new TomcatServer(
                    new Connector("org.apache.coyote.http11.Http11Nio2Protocol"), tomcat.filter));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("Http11Nio2Protocol"));
    assertTrue(message.contains("LastcallProtocol"));
  }

  @Test
  void protocolName_givenToAConnector_isAccepted() {
    Connector connector = new Connector(LastcallProtocol.class.getName());
    assertEquals("tomcat:-1", new TomcatServer(connector, tomcat.filter).name());
  }

  @Test
  void stopListening_openConnection_isServedOn() throws Exception {
    tomcat.start();
    int port = tomcat.port();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
      tomcat.server.stopListening(TomcatFixture.limit());
      assertThrows(ConnectException.class, () -> new RawClient(port));
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void stopListening_twice_isHarmless() throws Exception {
    tomcat.start();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.stopListening(TomcatFixture.limit());
  }

  @Test
  void stopListening_connectionsQueued_allAreServed() throws Exception {
    // At its limit the acceptor accepts nothing: everybody else waits in the kernel's queue.
    tomcat.connector.setProperty("maxConnections", "1");
    tomcat.start();
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        clients.add(tomcat.client().get("/plain"));
      }
      CompletableFuture<?> ended = stopAndCloseIdle();
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
    tomcat.awaitCounted(50);
  }

  @Test
  void closeIfIdle_idle_endsByFinAndIsNotWaitedFor() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
      await().until(this::closeIdleLeavesNoneOwed);
      assertTrue(client.ended());
      assertTrue(stopAndCloseIdle().isDone());
      assertEquals(1, tomcat.server.connections().size(), "open until the peer ends it");
    }
    await().until(() -> tomcat.server.connections().isEmpty());
  }

  private boolean closeIdleLeavesNoneOwed() throws IOException {
    return stopAndCloseIdle().isDone();
  }

  @Test
  void closeIfIdle_neverUsedConnection_endsByFin() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      await().until(() -> tomcat.server.connections().size() == 1);
      await().until(this::closeIdleLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  @Test
  void closeIfIdle_connectedAndAboutToSend_isServed() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      await().until(() -> tomcat.server.connections().size() == 1);
      assertFalse(closeIdleLeavesNoneOwed());
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::closeIdleLeavesNoneOwed);
    }
  }

  @Test
  void closeIfIdle_requestRunning_isAnsweredFirst() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/hold");
      entered.await();
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_bodyHalfSent_isAnsweredFirst() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
      entered.await();
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      client.send("67890");
      assertEquals("10", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_headHalfSent_isAnsweredFirst() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
      client.send("GET /plain HTT");
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      client.send("P/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_asyncRunning_isAnsweredFirst() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      context.getResponse().getWriter().print("later");
      context.complete();
      assertEquals("later", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestArrivedButNoWorkerFree_isAnswered() throws Exception {
    tomcat.connector.setProperty("maxThreads", "1");
    tomcat.start();
    try (RawClient holder = tomcat.client();
        RawClient waiting = tomcat.client()) {
      holder.get("/hold");
      entered.await();
      waiting.get("/plain");
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", holder.read().body());
      assertEquals("plain", waiting.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestCrossesOurFin_isNotRun() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
      await().until(this::closeIdleLeavesNoneOwed);
      client.get("/plain");
      assertTrue(client.ended(), "by a FIN, not by a reset");
    }
    await().until(() -> tomcat.server.connections().isEmpty());
    assertEquals(1, tomcat.control.started());
  }

  @Test
  void connectionsEnded_eventStreamOpen_doesNotWaitForIt() throws Exception {
    tomcat.serve(
        "/sse",
        (request, response) -> {
          response.setContentType("text/event-stream");
          started.add(request.startAsync());
          response.flushBuffer();
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/sse").readHead();
      tomcat.awaitCounted(1);
      stopAndCloseIdle().get();
      started.take().complete();
      assertEquals("", client.readChunk());
      assertTrue(client.ended(), "idle behind its stream, it is closed");
    }
  }

  private void blockingEvents(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/event-stream");
    response.flushBuffer();
    hold(request, response);
  }

  @Test
  void connectionsEnded_eventStreamOnABlockingThread_doesNotWaitForIt() throws Exception {
    tomcat.serve("/events", this::blockingEvents).start();
    try (RawClient client = tomcat.client()) {
      client.get("/events").readHead();
      entered.await();
      stopAndCloseIdle().get();
    }
  }

  @Test
  void connectionsEnded_requestBehindAnEventStreamOnABlockingThread_isAnsweredFirst()
      throws Exception {
    tomcat.serve("/events", this::blockingEvents).start();
    goOn.countDown();
    try (RawClient client = tomcat.client()) {
      client.exchange("/events");
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      context.complete();
      assertEquals(200, client.read().status());
      ended.get();
    }
  }

  @Test
  void connectionsEnded_becomesAnEventStreamLater_doesNotWaitForIt() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = stopAndCloseIdle();
      assertFalse(ended.isDone());
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      ended.get();
      context.complete();
    }
  }

  @Test
  void stop_requestStuckInAServlet_doesNotWaitForIt() throws Exception {
    CountDownLatch returned = new CountDownLatch(1);
    tomcat.serve(
        "/stuck",
        (request, response) -> {
          entered.countDown();
          while (goOn.getCount() > 0) {
            Thread.onSpinWait();
          }
          returned.countDown();
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/stuck");
      entered.await();
      tomcat.server.stop(TomcatFixture.limit());
      assertEquals(1, returned.getCount());
      await().until(() -> threadsNamed("-Poller") + threadsNamed("-Acceptor") == 0);
    }
  }

  @Test
  void stop_drained_endsEveryThreadOfTheConnector() throws Exception {
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
      stopAndCloseIdle().get();
      tomcat.server.stop(TomcatFixture.limit());
      await()
          .until(
              () ->
                  threadsNamed("-Poller") + threadsNamed("-Acceptor") + threadsNamed("exec") == 0);
    }
  }

  /** Threads of this fixture's connector whose names contain {@code part}. */
  private static long threadsNamed(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .filter(
            thread -> thread.getName().startsWith("http-nio") && thread.getName().contains(part))
        .count();
  }
}
