package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.undertow.server.HttpServerExchange;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.xnio.OptionMap;
import org.xnio.Options;

/** Listener, long-lived connections and threads, as the drain needs them. */
@Timeout(30)
class UndertowServerTest {
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
  void stopListening_openConnection_isServedOn() throws Exception {
    undertow.start();
    int port = undertow.port();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      undertow.server.stopListening(UndertowFixture.limit());
      assertThrows(ConnectException.class, () -> new RawClient(port));
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void stopListening_twice_isHarmless() throws Exception {
    undertow.start();
    undertow.server.stopListening(UndertowFixture.limit());
    undertow.server.stopListening(UndertowFixture.limit());
  }

  @Test
  void stopListening_firstListenerFails_closesTheOtherToo() throws Exception {
    undertow.start();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    int other = undertow.server.listen(any, HttpServerExchange::endExchange).getPort();
    int threads = undertow.worker.getIoThreadCount();
    CountDownLatch blocked = new CountDownLatch(threads);
    CountDownLatch free = new CountDownLatch(1);
    for (int i = 0; i < threads; i++) {
      undertow.worker.getIoThread(i).execute(() -> UndertowFixture.block(blocked, free));
    }
    blocked.await();
    try {
      // Nobody answers the connection that is to prove that the queue is empty.
      Deadline soon = Deadline.after(Duration.ofMillis(50), Ticker.system());
      IOException failure =
          assertThrows(IOException.class, () -> undertow.server.stopListening(soon));
      assertEquals(2, failure.getSuppressed().length, "the other, and the threads");
      await().until(() -> refuses(undertow.port()) && refuses(other));
    } finally {
      free.countDown();
    }
  }

  private static boolean refuses(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException refused) {
      return true;
    }
  }

  @Test
  void stopListening_acceptedButNotOpenYet_waitsForThem() throws Exception {
    undertow.start();
    CountDownLatch free = new CountDownLatch(1);
    undertow.worker.getIoThread(0).execute(() -> UndertowFixture.block(entered, free));
    entered.await();
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        clients.add(undertow.client());
      }
      CompletableFuture<?> stopped = CompletableFuture.runAsync(this::stopListening);
      // About half of them are that thread's.
      assertThrows(TimeoutException.class, () -> stopped.get(200, TimeUnit.MILLISECONDS));
      free.countDown();
      stopped.get();
      assertEquals(20, undertow.server.connections().size());
    } finally {
      free.countDown();
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private void stopListening() {
    try {
      undertow.server.stopListening(UndertowFixture.limit());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void stopListening_connectionsQueued_allAreServed() throws Exception {
    // At its limit the acceptor accepts nothing: everybody else waits in the kernel's queue.
    restart(OptionMap.create(Options.CONNECTION_HIGH_WATER, 1, Options.CONNECTION_LOW_WATER, 1), 8);
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        clients.add(undertow.client().get("/plain"));
      }
      CompletableFuture<?> ended = undertow.drain();
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
    undertow.awaitCounted(50);
  }

  @Test
  void response_neverComesToTheFilter_saysClose() throws Exception {
    undertow.serveProbes().start();
    undertow.leave();
    try (RawClient probe = undertow.client();
        RawClient missing = undertow.client()) {
      assertTrue(probe.exchange("/livez").saysClose());
      assertTrue(missing.exchange("/nothing").saysClose());
      assertTrue(missing.ended());
    }
  }

  @Test
  void connectionsEnded_eventStreamOpen_doesNotWaitForIt() throws Exception {
    undertow.serve(
        "/sse",
        (request, response) -> {
          response.setContentType("text/event-stream");
          started.add(request.startAsync());
          response.flushBuffer();
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/sse").readHead();
      undertow.awaitCounted(1);
      undertow.drain().get();
      started.take().complete();
      assertEquals("", client.readChunk());
      assertTrue(client.ended(), "idle behind its stream, it is closed");
    }
  }

  @Test
  void connectionsEnded_becomesAnEventStreamLater_doesNotWaitForIt() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/async");
      AsyncContext context = started.take();
      CompletableFuture<?> ended = undertow.drain();
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
    undertow.serve(
        "/stuck",
        (request, response) -> {
          entered.countDown();
          while (goOn.getCount() > 0) {
            Thread.onSpinWait();
          }
          returned.countDown();
        });
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.get("/stuck");
      entered.await();
      undertow.server.stop(UndertowFixture.limit());
      assertEquals(1, returned.getCount());
      await().until(() -> threadsNamed("I/O") + threadsNamed("Accept") == 0);
    }
  }

  @Test
  void stop_drained_endsEveryThreadOfTheConnector() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      undertow.drain().get();
      undertow.server.stop(UndertowFixture.limit());
      await().until(() -> threadsNamed("") == 0);
    }
  }

  @Test
  void rehearse_whileServing_disturbsNobody() throws Exception {
    undertow.start();
    try (RawClient client = undertow.client()) {
      client.exchange("/plain");
      undertow.server.rehearse();
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  /** Threads of this fixture's worker whose names contain {@code part}. */
  private static long threadsNamed(String part) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .filter(thread -> thread.getName().startsWith("undertow "))
        .filter(thread -> thread.getName().contains(part))
        .count();
  }
}
