package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that does not list its connections. */
@Timeout(120)
class CoarseServerTest {
  private static final Ending CLEAN = new Ending("exit", 0);

  private final Harness harness = new Harness();
  private final DrainableServer server =
      DrainableServer.of(
          "web",
          deadline -> harness.events.add("stop listening web"),
          deadline -> harness.events.add("stop web"));

  CoarseServerTest() {
    harness.builder().server(server);
  }

  private List<String> ends() {
    return harness.events.stream()
        .filter(event -> event.startsWith("stop") || event.startsWith("close"))
        .toList();
  }

  private boolean everyResponseSaysClose() {
    return IntStream.range(0, 100).allMatch(i -> harness.shutdown().gate().shouldCloseConnection());
  }

  /** A request that comes, and is answered, at this time. */
  private void requestAt(long millis) {
    harness.awaitSequence();
    harness.ticker.advanceTo(Duration.ofMillis(millis));
    harness.enter("GET /").release();
  }

  @Test
  void keepServing_itsResponses_sayCloseFromTheTriggerOn() {
    harness.terminate();
    harness.awaitSequence();
    assertTrue(everyResponseSaysClose());
  }

  @Test
  void keepServing_withoutOne_responsesDoNotAllSayCloseAtTheTrigger() {
    Harness exact = new Harness();
    exact.builder().server(new FakeServer("web", exact));
    exact.terminate();
    exact.awaitSequence();
    assertFalse(exact.shutdown().gate().shouldCloseConnection());
  }

  @Test
  void drain_noRequestInTheLastMoment_isOverAtOnce() {
    harness.builder().step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"));
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertEquals(List.of(), ends());
    harness.ticker.advanceTo(Duration.ofSeconds(15));
    assertEquals(CLEAN, harness.jvm.awaitEnding());
    assertEquals(List.of("stop listening web", "close pool", "stop web"), ends());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
  }

  @Test
  void drain_requestAMomentAgo_endsHalfASecondAfterIt() {
    harness.terminate();
    harness.pass(11_250);
    requestAt(14_800);
    harness.pass(15_000);
    harness.awaitSequenceUntil(15_300);
    assertEquals(List.of(), ends());
    harness.ticker.advanceTo(Duration.ofMillis(15_300));
    assertEquals(CLEAN, harness.jvm.awaitEnding());
  }

  @Test
  void drain_requestWithinThatHalfSecond_isServedAndTheWaitBeginsAnew() {
    harness.terminate();
    harness.pass(11_250);
    requestAt(14_800);
    harness.pass(15_000);
    harness.awaitSequenceUntil(15_300);
    harness.ticker.advanceTo(Duration.ofMillis(15_200));
    TestPermit late = harness.enter("GET /late");
    harness.pass(15_300);
    harness.awaitSequence();
    assertEquals(List.of(), ends());
    assertTrue(late.release());
    harness.pass(15_700);
    assertEquals(CLEAN, harness.jvm.awaitEnding());
    assertEquals(0, harness.report().requests().refused());
  }

  @Test
  void drain_requestUntilTheServerHasStopped_isAdmitted() {
    harness
        .builder()
        .server(
            DrainableServer.of(
                "late", deadline -> harness.enter("GET /late").release(), deadline -> {}));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(CLEAN, harness.jvm.awaitEnding());
    assertEquals(0, harness.report().requests().refused());
  }

  @Test
  void drain_requestsThatNeverStop_endsTwoSecondsLaterWithNoneInFlight() {
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    harness.ticker.advanceTo(Duration.ofMillis(14_900));
    harness.enter("GET /").release();
    harness.pass(15_000);
    for (int millis = 15_300; millis <= 16_800; millis += 300) {
      requestAt(millis);
    }
    harness.awaitSequenceUntil(17_000);
    TestPermit last = harness.enter("GET /last");
    harness.pass(17_000);
    harness.awaitSequence();
    assertEquals(List.of(), ends());
    assertTrue(last.release());
    assertEquals(CLEAN, harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(17), harness.report().took());
  }

  @Test
  void closeConnections_longLivedOne_endsBeforeTheServerAndTheStepsAfterIt() {
    harness.builder().step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"));
    Connections.Registration stream = register(harness.install());
    Harness.join(harness.jvm.raise("TERM"));
    closeStream();
    assertEquals(List.of("close stream"), ends());
    stream.closed();
    assertEquals(CLEAN, harness.jvm.awaitEnding());
    assertEquals(List.of("close stream", "stop listening web", "close pool", "stop web"), ends());
  }

  /** The server may cut it. */
  @Test
  void closeConnections_longLivedOneThatDoesNotEnd_isIncomplete() {
    register(harness.install());
    Harness.join(harness.jvm.raise("TERM"));
    closeStream();
    harness.pass(18_350);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  /** One that is answered now must not be cut. */
  @Test
  void drain_timesOut_requestIsAnsweredBeforeTheListenerCloses() {
    harness.builder().propagationDelay(Duration.ZERO);
    harness.install();
    TestPermit endless =
        new TestPermit("GET /endless") {
          @Override
          protected boolean giveUp() {
            harness.events.add("close endless");
            return release();
          }
        };
    assertTrue(harness.shutdown().gate().enter(endless));
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    harness.ticker.advanceTo(Duration.ofSeconds(23));
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(List.of("close endless", "stop listening web", "stop web"), ends());
  }

  @Test
  @SuppressWarnings("NullAway") // that is the mistake
  void of_withoutAnAction_isRefused() {
    assertThrows(NullPointerException.class, () -> DrainableServer.of("web", null, deadline -> {}));
    assertThrows(NullPointerException.class, () -> DrainableServer.of("web", deadline -> {}, null));
  }

  /** To the moment in CLOSE_CONNECTIONS when the stream has been told to end. */
  private void closeStream() {
    harness.passKeepServing();
    harness.ticker.awaitParked("lastcall-closer");
    harness.ticker.advance(Duration.ofMillis(2));
    Awaitility.await().until(() -> !ends().isEmpty());
  }

  private Connections.Registration register(GracefulShutdown shutdown) {
    return shutdown
        .connections()
        .register(
            new LongLivedConnection() {
              @Override
              public String kind() {
                return "sse";
              }

              @Override
              public void close() {
                harness.events.add("close stream");
              }

              /** Its server still works on it. */
              @Override
              public boolean forceClose() {
                return false;
              }
            });
  }
}
