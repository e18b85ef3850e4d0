package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.ManualTicker;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import io.lastcall.time.Ticker;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Which connections are closed, and that no request is lost by it. */
public abstract class IdleCloseContract<C extends ContainerFixture> extends ContainerContract<C> {

  /** Starts the container such that a servlet that waits leaves no thread for another. */
  protected abstract void startWithOneWorker() throws Exception;

  /** Returns one that awaits first requests by {@code firstRequests}. */
  protected abstract C create(Supplier<FirstRequest> firstRequests) throws Exception;

  private boolean drainLeavesNoneOwed() throws Exception {
    return container.drain().isDone();
  }

  @Test
  void closeIfIdle_idle_endsByFinAndIsNotWaitedFor() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
      assertTrue(container.drain().isDone());
      assertEquals(1, container.server().connections().size(), "open until the peer ends it");
    }
    container.awaitConnections(0);
  }

  @Test
  void closeIfIdle_neverUsedConnection_endsByFin() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      container.awaitConnections(1);
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  @Test
  void closeIfIdle_connectedAndAboutToSend_isServed() throws Exception {
    Ticker standingStill = new ManualTicker();
    replaceBy(create(() -> new FirstRequest(FirstRequest.PATIENCE, standingStill)));
    container.start();
    try (RawClient client = container.client()) {
      container.awaitConnections(1);
      assertFalse(drainLeavesNoneOwed());
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::drainLeavesNoneOwed);
    }
  }

  @Test
  void closeIfIdle_requestRunning_isAnsweredFirst() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/hold");
      entered.await();
      CompletableFuture<?> ended = container.drain();
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
    container.start();
    try (RawClient client = container.client()) {
      client.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
      entered.await();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      client.send("67890");
      assertEquals("10", client.read().body());
      ended.get();
    }
  }

  /** At the end of such a body Tomcat looks for the next event within the one that it is at. */
  @Test
  void closeIfIdle_chunkedBodyHalfReadWithoutBlocking_isAnsweredFirst() throws Exception {
    container.serve("/listen", (request, response) -> new LengthReader(request, entered));
    container.start();
    try (RawClient client = container.client()) {
      client.send("POST /listen HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("5\r\n12345\r\n");
      entered.await();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      client.send("5\r\n67890\r\n0\r\n\r\n");
      assertEquals("10", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_headHalfSent_isAnsweredFirst() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      client.send("GET /plain HTT");
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      container.tellOnceMore();
      client.send("P/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  /** Both were read at once, before the server left. */
  @Test
  void closeIfIdle_headHalfSentBehindARequest_isAnsweredFirst() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.send("GET /plain HTTP/1.1\r\nHost: test\r\n\r\nGET /plain HTT");
      assertEquals("plain", client.read().body());
      CompletableFuture<?> ended = container.drain();
      container.tellOnceMore();
      assertFalse(ended.isDone());
      client.send("P/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_asyncRunning_isAnsweredFirst() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      print(context, "later");
      context.complete();
      assertEquals("later", client.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestArrivedButNoWorkerFree_isAnswered() throws Exception {
    startWithOneWorker();
    try (RawClient holder = container.client();
        RawClient waiting = container.client()) {
      holder.get("/hold");
      entered.await();
      waiting.get("/plain");
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertEquals("held", holder.read().body());
      assertEquals("plain", waiting.read().body());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_requestInTheKernelsBuffer_isAnswered() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      CompletableFuture<?> ended = container.drainBehind(() -> client.get("/plain"));
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
    container.awaitCounted(2);
  }

  @Test
  void closeIfIdle_oneByteInTheKernelsBuffer_isWaitedForAndAnswered() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      CompletableFuture<?> ended = container.drainBehind(() -> client.send("G"));
      assertFalse(ended.isDone());
      container.tellOnceMore();
      assertFalse(ended.isDone());
      client.send("ET /plain HTTP/1.1\r\nHost: test\r\n\r\n");
      assertEquals("plain", client.read().body());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void closeIfIdle_peerHasEnded_isClosed() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      container.drainBehind(client::close).get();
    }
    container.awaitConnections(0);
  }

  @Test
  void closeIfIdle_requestArrivedBefore_isAnsweredWhoeverIsFaster() throws Exception {
    container.start();
    for (int i = 0; i < 200; i++) {
      try (RawClient client = container.client()) {
        client.exchange("/plain");
        client.get("/plain");
        // Races with whoever reads the request and hands it to a worker, and with that worker.
        container.server().connections().forEach(HttpConnection::closeIfIdle);
        assertEquals("plain", client.read().body());
      }
    }
  }
}
