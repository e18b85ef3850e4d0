package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.contract.ServerContract;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.XnioIoThread;

class UndertowServerTest extends ServerContract<UndertowFixture> {
  @Override
  protected UndertowFixture create() throws IOException {
    return new UndertowFixture();
  }

  /** At its limit the acceptor accepts nothing: that is one connection. */
  @Override
  protected void startAcceptingNothing() throws Exception {
    replaceBy(
        new UndertowFixture(
            OptionMap.create(Options.CONNECTION_HIGH_WATER, 1, Options.CONNECTION_LOW_WATER, 1),
            8));
    container.start();
  }

  @Override
  protected boolean isInNativeCode(Thread thread) {
    return isToEnd(thread)
        && (thread.getName().contains("I/O") || thread.getName().contains("Accept"));
  }

  @Override
  protected boolean isToEnd(Thread thread) {
    return thread.getName().startsWith("undertow ");
  }

  @Test
  void stopListening_firstListenerFails_closesTheOtherToo() throws Exception {
    container.start();
    int other = listenWithoutFilter(HttpServerExchange::endExchange);
    container.whileNobodyReads(
        () -> {
          // Nobody answers the connection that is to prove that the queue is empty.
          Deadline soon = Deadline.after(Duration.ofMillis(50), Ticker.system());
          IOException failure =
              assertThrows(IOException.class, () -> container.server.stopListening(soon));
          assertEquals(2, failure.getSuppressed().length, "the other, and the threads");
          await().until(() -> refuses(container.port()) && refuses(other));
          return other;
        });
  }

  private int listenWithoutFilter(HttpHandler handler) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return container.server.listen(any, handler).getPort();
  }

  private static boolean refuses(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException refused) {
      return true;
    }
  }

  @Test
  void listen_portTaken_saysWhichOne() throws Exception {
    container.start();
    InetSocketAddress taken =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), container.port());
    BindException refused =
        assertThrows(
            BindException.class,
            () -> container.server.listen(taken, HttpServerExchange::endExchange));
    assertEquals(taken + ": Address already in use", refused.getMessage());
  }

  @Test
  void accept_failsForOneConnection_goesOnWithTheNext() throws Exception {
    replaceBy(new UndertowFixture(OptionMap.EMPTY, ContainerFixture.failingOnce()));
    container.start();
    try (RawClient failed = container.client()) {
      assertTrue(failed.ended());
    }
    try (RawClient next = container.client()) {
      assertEquals("plain", next.exchange("/plain").body());
    }
  }

  /** By the application, and its threads with it. */
  @Test
  void stopListening_workerHasEnded_isDone() throws Exception {
    container.start();
    container.worker.shutdownNow();
    assertTrue(container.worker.awaitTermination(10, TimeUnit.SECONDS));
    container.server.stopListening(ContainerFixture.limit());
  }

  /** The JVM would wait for it at its exit. */
  @Test
  void stop_threadThatAcceptsIsBusy_isWaitedFor() throws Exception {
    container.start();
    XnioIoThread accepting = AcceptThread.of(container.worker).thread();
    accepting.execute(() -> ContainerFixture.block(entered, goOn));
    entered.await();
    CompletableFuture<Void> stopped = CompletableFuture.runAsync(this::stop);
    assertThrows(TimeoutException.class, () -> stopped.get(50, TimeUnit.MILLISECONDS));
    goOn.countDown();
    stopped.get();
    assertFalse(accepting.isAlive());
  }

  private void stop() {
    try {
      container.server.stop(ContainerFixture.limit());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void answer_withoutBodyAndPastTheFilter_saysCloseAndIsTheLast() throws Exception {
    int port = listenWithoutFilter(exchange -> exchange.setStatusCode(204).endExchange());
    container.leave();
    try (RawClient client = new RawClient(port)) {
      assertTrue(client.exchange("/").saysClose());
      assertTrue(client.ended());
    }
  }

  /** Its thread is interrupted, and may be faster than those that close the connections. */
  @Test
  void stop_bodyStillRead_isNoAnswerOfTheApplications() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n");
      entered.await();
      container.leave();
      RawClient.Reply reply =
          container.whileNobodyReads(
              () -> {
                container.server.stop(Deadline.after(Duration.ofMillis(50), Ticker.system()));
                return client.read();
              });
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
    }
  }

  /** What it waits for may be a request: no half-sent one, of which the drain awaits no more. */
  @Test
  void isAnswering_ioThreadHasYetToLook_untilItHas() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      container.leave();
      CompletableFuture<?> ended =
          container.whileNobodyReads(
              () -> {
                client.get("/plain");
                CompletableFuture<?> connections = container.endConnections();
                assertEquals(1, container.answering());
                return connections;
              });
      assertEquals("plain", client.read().body());
      ended.get();
      assertEquals(0, container.answering());
    }
  }

  @Test
  void stopListening_acceptedButNotOpenYet_waitsForThem() throws Exception {
    container.start();
    CountDownLatch free = new CountDownLatch(1);
    container.worker.getIoThread(0).execute(() -> ContainerFixture.block(entered, free));
    entered.await();
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        clients.add(container.client());
      }
      CompletableFuture<?> stopped = CompletableFuture.runAsync(this::stopListening);
      // About half of them are that thread's.
      assertThrows(TimeoutException.class, () -> stopped.get(200, TimeUnit.MILLISECONDS));
      free.countDown();
      stopped.get();
      assertEquals(20, container.server.connections().size());
    } finally {
      free.countDown();
      for (RawClient client : clients) {
        client.close();
      }
    }
  }

  private void stopListening() {
    try {
      container.server.stopListening(ContainerFixture.limit());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
