package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** CLOSE_CONNECTIONS: long-lived connections, and the user's closers behind them. */
@Timeout(120)
class CloseConnectionsTest {
  private static final String CLOSER = "lastcall-closer";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private List<String> closeEvents() {
    return harness.events.stream().filter(event -> event.startsWith("close")).toList();
  }

  @Test
  void closers_longLivedConnections_areToldBeforeThePoolsClose() {
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"))
        .propagationDelay(Duration.ZERO);
    harness.install();
    LongLivedConnection socket = longLived("close websocket");
    harness.shutdown().connections().register(socket);
    Harness.join(harness.jvm.raise("TERM"));
    harness.ticker.awaitParked(CLOSER);
    harness.ticker.advance(Duration.ofMillis(2)); // the pace of one connection
    awaitLastSecondOfCloseTimeout();
    assertEquals(List.of("close websocket"), closeEvents());
    harness.ticker.advanceTo(Duration.ofSeconds(5));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(List.of("close websocket", "close pool"), closeEvents());
    assertEquals(1, harness.report().connectionsAbandoned());
    log.assertLogged("; long-lived connections abandoned 1");
  }

  @Test
  void closers_manyConnections_theLastOneToldHasHalfOfTheirTimeToAnswer() {
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "pool", context -> {})
        .propagationDelay(Duration.ZERO)
        .closeTimeout(Duration.ofMillis(400));
    harness.install();
    for (int i = 0; i < 100; i++) {
      harness.shutdown().connections().register(longLived("close websocket"));
    }
    Harness.join(harness.jvm.raise("TERM"));
    // 2 ms for each would take 200 ms, which is all that the closers leave.
    Duration turn = harness.ticker.awaitParked(CLOSER);
    while (closeEvents().size() < 100) {
      harness.ticker.advanceTo(turn);
      turn = harness.ticker.awaitParked(CLOSER);
    }
    assertEquals(100, closeEvents().size());
    assertTrue(harness.ticker.elapsed().toMillis() <= 100);
    harness.ticker.advanceTo(Duration.ofMillis(200));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void closers_connectionAnswersWhileThePoolsClose_isInTime() {
    CompletableFuture<Registration> socket = new CompletableFuture<>();
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "pool", context -> socket.join().closed())
        .propagationDelay(Duration.ZERO);
    harness.install();
    socket.complete(harness.shutdown().connections().register(longLived("close websocket")));
    Harness.join(harness.jvm.raise("TERM"));
    harness.ticker.awaitParked(CLOSER);
    harness.ticker.advance(Duration.ofMillis(2));
    awaitLastSecondOfCloseTimeout();
    harness.ticker.advanceTo(Duration.ofSeconds(5));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(harness.phase(Phase.CLOSE_CONNECTIONS).complete());
  }

  @Test
  void closers_closeOfAConnectionHangs_theSequenceGoesOn() throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    LongLivedConnection hanging =
        new LongLivedConnection() {
          @Override
          public String kind() {
            return "websocket";
          }

          @Override
          public void close() {
            told.countDown();
            Harness.hang();
          }
        };
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"))
        .propagationDelay(Duration.ZERO);
    harness.install();
    harness.shutdown().connections().register(hanging);
    Harness.join(harness.jvm.raise("TERM"));
    harness.ticker.awaitParked(CLOSER);
    harness.ticker.advance(Duration.ofMillis(2));
    told.await();
    Harness.awaitWaiting(CLOSER);
    harness.pass(5_100);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(List.of("close pool"), closeEvents());
    log.assertLogged("telling a connection to close does not end; it is");
    log.assertLogged("io.lastcall.Harness.hang(");
  }

  /** Of 5 s; each second one is asked whether anything but its client is awaited. */
  private void awaitLastSecondOfCloseTimeout() {
    for (int second = 1; second <= 4; second++) {
      Duration asked = Duration.ofMillis(1_000L * second + 2);
      harness.ticker.awaitParkedUntil(CLOSER, asked);
      harness.ticker.advanceTo(asked);
    }
    harness.ticker.awaitParkedUntil(CLOSER, Duration.ofSeconds(5));
  }

  /** One that the server itself still works on, whatever its client does. */
  private LongLivedConnection longLived(String event) {
    return new LongLivedConnection() {
      @Override
      public String kind() {
        return "websocket";
      }

      @Override
      public void close() {
        harness.events.add(event);
      }

      @Override
      public boolean forceClose() {
        return false;
      }
    };
  }
}
