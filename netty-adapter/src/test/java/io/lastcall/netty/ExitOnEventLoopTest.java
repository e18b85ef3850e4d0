package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.Permit;
import io.lastcall.testing.RawClient;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A handler has called System.exit: its event loop sits in that for good. */
@Timeout(60)
class ExitOnEventLoopTest {
  private TestServer server;
  private CountDownLatch exit = new CountDownLatch(0);

  @BeforeEach
  void start() throws Exception {
    server = new TestServer();
  }

  @AfterEach
  void stop() throws Exception {
    exit.countDown();
    server.control.spare(thread -> false);
    server.close();
  }

  private void exitOn(EventLoopGroup group) throws Exception {
    Thread loop = thread(group);
    exit = TestServer.block(group);
    server.control.spare(loop::equals);
  }

  private static Thread thread(EventLoopGroup group) throws Exception {
    return group.submit(Thread::currentThread).get();
  }

  /** Of another server with the same event loop, say. */
  private Permit requestOf(EventLoopGroup group) throws Exception {
    Thread loop = thread(group);
    Permit permit =
        new Permit() {
          @Override
          protected Optional<Thread> thread() {
            return Optional.of(loop);
          }
        };
    assertTrue(server.control.gate().enter(permit));
    return permit;
  }

  @Test
  void connectionsEnded_othersOfItAreOpen_areNotWaitedForAndNorIsItsEnd() throws Exception {
    try (RawClient idle = server.connect();
        RawClient exiting = server.connect()) {
      idle.exchange("/fast");
      exiting.get("/hold");
      server.awaitHeld();
      exitOn(server.workers);
      server.closeIdle();
      assertTrue(server.server.connections().stream().noneMatch(HttpConnection::isAnswering));
      assertTrue(server.server.connectionsEnded().toCompletableFuture().isDone());
      server.server.stop(TestServer.soon());
      assertFalse(server.workers.isTerminated());
    }
  }

  @Test
  void connectionsEnded_oneOfAnotherEventLoopIsOpen_isWaitedFor() throws Exception {
    Permit permit = requestOf(server.bosses);
    try (RawClient client = server.connect()) {
      client.get("/hold");
      server.awaitHeld();
      exitOn(server.bosses);
      assertFalse(server.server.connectionsEnded().toCompletableFuture().isDone());
    }
    assertTrue(permit.release());
  }

  @Test
  void longLivedConnections_ofIt_areNotWaitedFor() throws Exception {
    try (RawClient events = server.connect();
        RawClient exiting = server.connect()) {
      events.get("/sse");
      exiting.get("/hold");
      server.awaitHeld();
      Awaitility.await().until(() -> server.connections.connections().open() == 1);
      exitOn(server.workers);
      assertTrue(server.connections.closeAll(Duration.ZERO, TestServer.soon()));
    }
  }

  @Test
  void stopListening_itHasTheListener_isLeftToTheProcessesEnd() throws Exception {
    Permit permit = requestOf(server.bosses);
    exitOn(server.bosses);
    server.server.stopListening(TestServer.soon());
    assertTrue(server.listener.isOpen());
    assertTrue(permit.release());
  }
}
