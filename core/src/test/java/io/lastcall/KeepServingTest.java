package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.connection.HttpConnection;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What happens to connections, and is noticed of them, while everything is served on. */
@Timeout(120)
class KeepServingTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final FakeServer server = new FakeServer("web", harness);

  private List<String> closed() {
    return harness.events.stream().filter(event -> event.startsWith("close")).toList();
  }

  private HttpConnection connection(String name) {
    return () -> harness.events.add("close " + name);
  }

  private static LongLivedConnection webSocket() {
    return new LongLivedConnection() {
      @Override
      public String kind() {
        return "websocket";
      }

      @Override
      public void close() {}
    };
  }

  /** Jetty upgrades in front of every filter, and lists the connection still. */
  @Test
  void keepServing_webSocketsAndNothingElse_isNotDoubted() {
    server.connections.add(connection("a"));
    harness.builder().server(server);
    harness.install().connections().register(webSocket());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServingWithConnections();
    Awaitility.await().until(() -> harness.events.contains("+FAIL_READINESS"));
    assertFalse(log.text().contains("ever counted"), log::text);
  }

  @Test
  void keepServing_connectionsAndARequestCounted_isNotDoubted() {
    server.connections.add(connection("a"));
    harness.builder().server(server);
    harness.install();
    harness.enter("GET /").release();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServingWithConnections();
    Awaitility.await().until(() -> harness.events.contains("+FAIL_READINESS"));
    assertFalse(log.text().contains("ever counted"), log::text);
  }

  /** The first request may be on its way. */
  @Test
  void keepServing_connectionsAndNoTimeForARequest_isNotDoubted() {
    server.connections.add(connection("a"));
    harness.builder().server(server);
    harness.install();
    Harness.join(harness.jvm.raise("INT"));
    Awaitility.await().until(() -> harness.events.contains("+FAIL_READINESS"));
    assertFalse(log.text().contains("ever counted"), log::text);
  }

  @Test
  void keepServing_idleConnections_areClosedOnlyInItsLastQuarterAndSpread() {
    server.connections.add(connection("a"));
    server.connections.add(connection("b"));
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.terminateAfterARequest();
    harness.passAnnouncements();
    harness.awaitSequenceUntil(11_250);
    assertEquals(List.of(), closed());
    harness.ticker.advanceTo(Duration.ofMillis(11_250));
    harness.awaitSequence();
    assertEquals(List.of(), closed());
    harness.ticker.advanceTo(Duration.ofMillis(13_125));
    // The first slot is over, the second is not: one of the two was told.
    harness.awaitSequence();
    assertEquals(1, closed().size());
    harness.ticker.advanceTo(Duration.ofSeconds(15));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  /** Or the requests of clients that keep them would put the silence off. */
  @Test
  void keepServing_silenceMayBeEvidence_closesIdleConnectionsAtTheEndOfTheRamp() {
    server.connections.add(connection("a"));
    server.connections.add(connection("b"));
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.builder().adaptivePropagation(Duration.ofSeconds(3), Duration.ofSeconds(15));
    harness.install();
    harness.passHistory(100);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    harness.ticker.advance(Duration.ofMillis(2_250));
    harness.awaitSequence();
    harness.ticker.advance(Duration.ofMillis(375));
    harness.awaitSequence();
    assertEquals(1, closed().size());
    harness.ticker.advance(Duration.ofMillis(375));
    harness.awaitSequenceUntil(304_500);
    assertEquals(2, new HashSet<>(closed()).size());
  }

  /** A new connection each second up to 12 s: silence is evidence at 13.5 s. */
  @Test
  void keepServing_silentInItsLastQuarter_endsThenAndClosesTheRestAtOnce() {
    server.connections.add(connection("a"));
    server.connections.add(connection("b"));
    server.connectionsEnded.complete(null);
    harness.builder().server(server);
    harness.builder().adaptivePropagation(Duration.ofSeconds(3), Duration.ofSeconds(15));
    harness.install();
    harness.passHistory(100);
    Harness.join(harness.jvm.raise("TERM"));
    for (int second = 1; second <= 12; second++) {
      harness.awaitSequence();
      harness.ticker.advance(Duration.ofSeconds(1));
      harness.connect(second);
    }
    harness.awaitSequence();
    harness.ticker.advance(Duration.ofMillis(1_500));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(13_500), harness.phase(Phase.KEEP_SERVING).took());
    assertEquals(2, new HashSet<>(closed()).size());
    log.assertLogged("KEEP_SERVING ends early: 1500 ms of silence");
  }

  @Test
  void keepServing_everyConnection_isToldOfTheLeavingSpreadOverTheRamp() {
    server.connections.add(harness.toldMore("a"));
    server.connections.add(harness.toldMore("b"));
    harness.builder().server(server);
    harness.terminate();
    harness.awaitSequence();
    assertEquals(0, harness.announced());
    harness.ticker.advanceTo(Duration.ofMillis(3_750));
    harness.awaitSequence();
    assertEquals(1, harness.announced());
    harness.ticker.advanceTo(Duration.ofMillis(7_500));
    harness.awaitSequenceUntil(11_250);
    assertEquals(2, harness.announced());
  }
}
