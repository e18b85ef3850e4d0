package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.ClientRequests;
import io.lastcall.inflight.LastClient;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Listener and threads, as the drain needs them. */
public abstract class ServerContract<C extends ContainerFixture> extends ContainerContract<C> {

  /** Starts the container such that, from now on, connections wait in the kernel's queue. */
  protected abstract void startAcceptingNothing() throws Exception;

  /** Whether {@code thread}, of this container, accepts or selects: exit waits for such. */
  protected abstract boolean isInNativeCode(Thread thread);

  /** Whether {@code thread} is of this container, and is to end with a drained server. */
  protected abstract boolean isToEnd(Thread thread);

  private static long threads(Predicate<Thread> kind) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(Thread::isAlive)
        .filter(kind)
        .count();
  }

  /** The listener is bound and nobody accepts yet: there is nobody to wait for. */
  protected final void assertStopsListeningAtOnce() throws Exception {
    Deadline limit = ContainerFixture.limit();
    container.server().stopListening(limit);
    assertFalse(limit.hasPassed());
  }

  @Test
  void name_started_saysThePort() throws Exception {
    container.start();
    String name = container.server().name();
    assertTrue(name.endsWith(":" + container.port()), name);
  }

  /** An older one shows that its client has not left yet, a probe's shows nothing. */
  @Test
  void lastConnection_isThatOfARequestOnANewOne() throws Exception {
    container.control.observeArrivals();
    container.serveProbes().start();
    try (RawClient older = container.client()) {
      older.exchange("/plain");
      assertEquals(1, container.control.arrivals().connections());
      container.leave();
      older.exchange("/plain");
      try (RawClient probe = container.client()) {
        assertEquals(200, probe.exchange("/livez").status());
      }
      assertEquals(Optional.empty(), container.control.lastConnection());
      try (RawClient newer = container.client()) {
        newer.exchange("/plain");
      }
      assertTrue(container.control.lastConnection().isPresent());
      LastClient last = container.control.lastClient().orElseThrow();
      assertTrue(last.address().isLoopbackAddress());
      assertEquals(Optional.empty(), last.others());
      assertEquals(2, container.control.arrivals().connections());
    }
    ClientRequests client = container.control.arrivals().clients().iterator().next();
    assertTrue(client.address().orElseThrow().isLoopbackAddress());
    assertEquals(3, client.requests());
  }

  @Test
  void stopListening_openConnection_isServedOn() throws Exception {
    container.start();
    int port = container.port();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      container.server().stopListening(ContainerFixture.limit());
      assertThrows(ConnectException.class, () -> new RawClient(port));
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void stopListening_twice_isHarmless() throws Exception {
    container.start();
    container.server().stopListening(ContainerFixture.limit());
    container.server().stopListening(ContainerFixture.limit());
  }

  @Test
  void stopListening_connectionsQueued_allAreServed() throws Exception {
    startAcceptingNothing();
    List<RawClient> clients = new ArrayList<>();
    try {
      for (int i = 0; i < 50; i++) {
        clients.add(container.client().get("/plain"));
      }
      CompletableFuture<?> ended = container.drain();
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
    container.awaitCounted(50);
  }

  @Test
  void stop_requestStuckInAServlet_doesNotWaitForIt() throws Exception {
    CountDownLatch returned = new CountDownLatch(1);
    container.serve(
        "/stuck",
        (request, response) -> {
          entered.countDown();
          while (goOn.getCount() > 0) {
            Thread.onSpinWait();
          }
          returned.countDown();
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/stuck");
      entered.await();
      container.server().stop(ContainerFixture.limit());
      assertEquals(1, returned.getCount());
      await().until(() -> threads(this::isInNativeCode) == 0);
    }
  }

  @Test
  void stop_drained_endsEveryThreadOfTheConnector() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      container.drain().get();
      container.server().stop(ContainerFixture.limit());
      await().until(() -> threads(this::isInNativeCode) == 0 && threads(this::isToEnd) == 0);
    }
  }
}
