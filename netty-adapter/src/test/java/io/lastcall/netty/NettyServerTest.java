package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.ClientRequests;
import io.lastcall.inflight.LastClient;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import io.netty.util.concurrent.EventExecutor;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
@ParameterizedClass
@EnumSource
final class NettyServerTest {
  private final Transport transport;

  private TestServer server;

  NettyServerTest(Transport transport) {
    transport.assumeAvailable();
    this.transport = transport;
  }

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(transport, null);
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    assertEquals(0, server.inFlight());
  }

  /** An older one shows that its client has not left yet, a probe's shows nothing. */
  @Test
  void lastConnection_isThatOfARequestOnANewOne() throws Exception {
    server.control.observeArrivals();
    try (RawClient older = server.connect()) {
      older.exchange("/fast");
      assertEquals(1, server.control.arrivals().connections());
      server.leave();
      older.exchange("/fast");
      try (RawClient probe = server.connect()) {
        probe.exchange("/livez");
      }
      assertEquals(Optional.empty(), server.control.lastConnection());
      try (RawClient newer = server.connect()) {
        newer.exchange("/fast");
      }
      assertTrue(server.control.lastConnection().isPresent());
      LastClient last = server.control.lastClient().orElseThrow();
      assertTrue(last.address().isLoopbackAddress());
      assertEquals(Optional.empty(), last.others());
      assertEquals(2, server.control.arrivals().connections());
    }
    ClientRequests client = server.control.arrivals().clients().iterator().next();
    assertTrue(client.address().orElseThrow().isLoopbackAddress());
    assertEquals(3, client.requests());
  }

  @Test
  void closeIfIdle_idle_halfCloses() throws Exception {
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      server.leave();
      server.closeIdle();

      assertEquals("", client.rest());
      await().until(() -> server.server.connections().isEmpty());
    }
  }

  @Test
  void closeIfIdle_malformedRequestAnswered_halfCloses() throws Exception {
    try (RawClient client = server.connect()) {
      client.send("GET / HTTP/1.1\r\n: no name\r\n\r\n");
      client.read();
      server.leave();
      server.closeIdle();

      assertEquals("", client.rest());
    }
  }

  @Test
  void closeIfIdle_busy_isAnsweredWithClose() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/hold");
      server.awaitHeld();
      server.leave();
      server.closeIdle();
      server.answerHeld();

      assertTrue(client.read().saysClose());
      assertEquals("", client.rest());
    }
  }

  @Test
  void closeIfIdle_requestInTheSocketsBuffer_isAnswered() throws Exception {
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      server.leave();
      CountDownLatch release = TestServer.block(server.workers);
      server.closeIdle();
      client.get("/fast");
      release.countDown();

      assertTrue(client.read().saysClose());
      assertEquals("", client.rest());
    }
  }

  /** What it waits for may be a request: no half-sent one, of which the drain awaits no more. */
  @Test
  void isAnswering_eventLoopHasYetToLook_untilItHas() throws Exception {
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      HttpConnection connection = server.server.connections().iterator().next();
      server.leave();
      CountDownLatch release = TestServer.block(server.workers);
      client.get("/fast");
      server.closeIdle();
      assertTrue(connection.isAnswering());

      release.countDown();
      assertTrue(client.read().saysClose());
      assertFalse(connection.isAnswering());
    }
  }

  /** With many connections to end in one pass of the event loop, that is most of them. */
  @Test
  void closeIfIdle_requestComesBehindTheSelect_isAnswered() throws Exception {
    assumeTrue(transport == Transport.NIO, "native transports read in their own time only");
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      server.leave();
      server
          .workers
          .submit(
              () -> {
                // In one pass with the look at the connection, which is scheduled behind it.
                server.workers.schedule(() -> sendAndAwaitArrival(client), 0, NANOSECONDS);
                server.closeIdle();
              })
          .sync();

      assertTrue(client.read().saysClose());
      assertEquals("", client.rest());
    }
  }

  private @Nullable Void sendAndAwaitArrival(RawClient client) throws Exception {
    Channel open = ((TrackedConnection) server.server.connections().iterator().next()).channel();
    Socket socket = ((SocketChannel) ((NioUnsafe) open.unsafe()).ch()).socket();
    client.get("/fast");
    await().until(() -> socket.getInputStream().available() > 0);
    return null;
  }

  @Test
  void closeIfIdle_partOfAHeadRead_waitsForTheRest() throws Exception {
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      // The read that brought the request is over: with io_uring it goes on until nothing is left.
      server.workers.submit(() -> {}).sync();
      assertIsAnsweredThoughToldBetweenItsParts(client, "GET /fa", "st");
    }
  }

  @Test
  void closeIfIdle_partOfTheFirstHeadRead_waitsForTheRest() throws Exception {
    assertFirstRequestIsWaitedFor("GET /fa", "st");
  }

  private void assertFirstRequestIsWaitedFor(String part, String rest) throws Exception {
    server.setPatience(Duration.ZERO);
    try (RawClient client = server.connect()) {
      server.awaitConnection();
      // The setup, a read of its own, is over.
      server.workers.submit(() -> {}).sync();
      assertIsAnsweredThoughToldBetweenItsParts(client, part, rest);
    }
  }

  private void assertIsAnsweredThoughToldBetweenItsParts(RawClient client, String part, String rest)
      throws Exception {
    client.send(part);
    server.leave();
    server.workers.submit(() -> {}).sync();
    CountDownLatch release = TestServer.block(server.workers);
    server.closeIdle();
    release.countDown();
    server.awaitChecked();
    client.send(rest + " HTTP/1.1\r\nHost: a\r\n\r\n");

    assertTrue(client.read().saysClose());
  }

  @Test
  void closeIfIdle_connectedAndAboutToSend_isServed() throws Exception {
    server.setPatience(Duration.ofHours(1));
    try (RawClient client = server.connect()) {
      server.awaitConnection();
      server.leave();
      server.closeIdle();
      server.workers.submit(() -> {}).sync();
      client.get("/fast");

      assertTrue(client.read().saysClose());
    }
  }

  @Test
  void closeIfIdle_connectedAndSilent_isClosed() throws Exception {
    try (RawClient client = server.connect()) {
      server.awaitConnection();
      server.leave();
      server.closeIdle();

      assertEquals("", client.rest());
    }
  }

  @Test
  void stopListening_queuedConnections_areServed() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    CountDownLatch release = TestServer.block(server.bosses);
    for (int i = 0; i < 10; i++) {
      RawClient client = server.connect();
      client.get("/fast");
      clients.add(client);
    }
    server.leave();
    CompletableFuture<Void> stopped =
        inThread(() -> server.server.stopListening(TestServer.soon()));
    assertThrows(TimeoutException.class, () -> stopped.get(50, TimeUnit.MILLISECONDS));
    release.countDown();
    stopped.get(60, SECONDS);

    assertThrows(ConnectException.class, server::connect);
    for (RawClient client : clients) {
      assertTrue(client.read().saysClose());
      client.close();
    }
    server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
  }

  private static CompletableFuture<Void> inThread(Executable body) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            body.execute();
          } catch (Throwable e) {
            throw new IllegalStateException(e);
          }
        },
        run -> new Thread(run).start());
  }

  @Test
  void stopListening_closedByTheApplicationBefore_connectsToNobody() throws Exception {
    server.server.stopListening(TestServer.soon());
    try (ServerSocket another =
        new ServerSocket(server.port, 1, InetAddress.getLoopbackAddress())) {
      server.server.stopListening(TestServer.soon());
      another.setSoTimeout(1);
      assertThrows(SocketTimeoutException.class, another::accept);
    }
  }

  @Test
  void connectionsEnded_waitsForTheBusyOne() throws Exception {
    try (RawClient client = server.connect();
        RawClient idle = server.connect()) {
      idle.exchange("/fast");
      client.get("/hold");
      server.awaitHeld();
      server.leave();
      server.server.stopListening(TestServer.soon());
      server.closeIdle();
      CompletableFuture<?> ended = server.server.connectionsEnded().toCompletableFuture();
      assertEquals("", idle.rest());
      assertFalse(ended.isDone());

      server.answerHeld();
      client.read();
      // The client has not closed its side, and need not.
      ended.get(60, SECONDS);
    }
  }

  @Test
  void connectionsEnded_responseWithoutClose_endsBehindIt() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/sse");
      client.until("data: 1");
      assertTrue(server.server.connections().isEmpty());
      server.leave();
      CompletableFuture<?> ended = server.server.connectionsEnded().toCompletableFuture();
      ended.get(60, SECONDS);
    }
  }

  @Test
  void bytesBehindTheClosingResponse_areNoReset() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/hold");
      server.awaitHeld();
      server.leave();
      server.answerHeld();
      client.read();
      for (int i = 0; i < 100; i++) {
        client.get("/fast");
      }

      assertEquals("", client.rest());
      assertEquals(1, server.control.started());
    }
  }

  @Test
  void lateUpload_isRefusedWithoutAReset() throws Exception {
    server.leave();
    server.control.refuse();
    try (RawClient client = server.connect()) {
      client.send("POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
      client.send("x".repeat(999_999));
      assertEquals(503, client.read().status());
      CompletableFuture<?> ended = server.server.connectionsEnded().toCompletableFuture();
      assertFalse(ended.isDone());
      Channel connection =
          ((TrackedConnection) server.server.connections().iterator().next()).channel();
      CompletableFuture<Boolean> whileItIsOpen = ended.thenApply(nothing -> connection.isOpen());
      client.send("x");
      assertTrue(whileItIsOpen.get(60, SECONDS));
      assertEquals("", client.rest());
    }
  }

  @Test
  void peerThatNeverCloses_isClosedAfterTheLinger() throws Exception {
    try (RawClient client = server.connect()) {
      client.send("POST /hold HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      server.awaitHeld();
      server.leave();
      Channel channel = server.held.element();
      server.answerHeld();

      assertTrue(client.read().saysClose());
      assertTrue(channel.isOpen());
      assertTrue(channel.closeFuture().await(60, SECONDS));
    }
  }

  @Test
  void forceClose_unanswered_gets503AndTheRestIsDropped() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/hold");
      client.get("/hold");
      await().until(() -> server.held.size() == 2);
      server.leave();
      server.server.connections().forEach(connection -> connection.forceClose());

      Reply reply = client.read();
      assertEquals(503, reply.status());
      assertTrue(reply.saysClose());
      await().until(() -> server.inFlight() == 0);
      server.answerHeld();
      assertEquals("", client.rest());
    }
  }

  @Test
  void forceClose_serverStopsRightBehindIt_theAnswersAreOut() throws Exception {
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      RawClient client = server.connect();
      clients.add(client);
      client.get("/hold");
    }
    await().until(() -> server.held.size() == clients.size());
    server.server.connections().forEach(connection -> connection.forceClose());
    server.server.stop(TestServer.soon());
    for (RawClient client : clients) {
      assertEquals(503, client.read().status());
      client.close();
    }
  }

  @Test
  void clientGone_releases() throws Exception {
    try (RawClient client = server.connect()) {
      client.get("/hold");
      server.awaitHeld();
      assertEquals(1, server.inFlight());
    }

    await().until(() -> server.inFlight() == 0);
    await().until(() -> server.server.connections().isEmpty());
  }

  /** By the application, long ago; waited for, they would take the hour. */
  @Test
  void stopListening_eventLoopsHaveEnded_isDone() throws Exception {
    server.bosses.shutdownGracefully(0, 0, SECONDS).sync();
    server.workers.shutdownGracefully(0, 0, SECONDS).sync();
    server.server.stopListening(Deadline.after(Duration.ofHours(1), Ticker.system()));
    assertTrue(server.server.connectionsEnded().toCompletableFuture().isDone());
  }

  @Test
  void stop_endsEveryEventLoop() throws Exception {
    try (RawClient client = server.connect()) {
      client.exchange("/fast");
      server.server.stop(TestServer.soon());
    }

    for (EventExecutor loop : server.workers) {
      assertTrue(loop.isTerminated());
    }
    for (EventExecutor loop : server.bosses) {
      assertTrue(loop.isTerminated());
    }
  }

  /**
   * As another listener of theirs does, one for probes say: what it accepts needs an event loop.
   */
  @Test
  void stop_stillListening_acceptorsEndBeforeTheOthers() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    server
        .listener
        .closeFuture()
        .addListener(
            told -> {
              closed.countDown();
              release.await();
            });
    CompletableFuture<Void> stopped = inThread(() -> server.server.stop(TestServer.soon()));
    closed.await();

    try {
      assertFalse(server.workers.isShuttingDown());
    } finally {
      release.countDown();
    }
    stopped.get(60, SECONDS);
    assertTrue(server.workers.isTerminated());
  }

  @Test
  void stop_blockedEventLoop_saysSo() throws Exception {
    CountDownLatch release = TestServer.block(server.workers);
    assertThrows(
        TimeoutException.class,
        () -> server.server.stop(Deadline.after(Duration.ofMillis(100), Ticker.system())));
    release.countDown();
  }
}
