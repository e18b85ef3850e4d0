package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.StepReport.Result;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ServersTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final FakeServer server = new FakeServer("web", harness);

  private List<String> serverEvents() {
    return harness.events.stream()
        .filter(event -> event.startsWith("stop") || event.startsWith("close"))
        .toList();
  }

  private HttpConnection connection(String name) {
    return () -> harness.events.add("close " + name);
  }

  @Test
  void server_noTraffic_stopsListeningThenClosesIdleThenIsStopped() {
    harness
        .builder()
        .server(server)
        .step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"));
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertEquals(List.of(), serverEvents());
    harness.ticker.advanceTo(Duration.ofSeconds(15));
    harness.awaitSequenceUntil(15_500);
    assertEquals(List.of("stop listening web"), serverEvents());
    server.connectionsEnded.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("stop listening web", "close pool", "stop web"), serverEvents());
  }

  @Test
  void drain_requestInFlight_listenerAndConnectionsStayUntilItHasLeft() {
    server.connections.add(connection("a"));
    server.connectionsEnded.complete(null);
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(500);
    harness.awaitSequenceUntil(1_000);
    assertEquals(List.of(), serverEvents());
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("stop listening web", "close a", "stop web"), serverEvents());
  }

  /** Without a free file descriptor nothing is accepted until an idle connection has closed. */
  @Test
  void stopListening_needsAnIdleConnectionsDescriptor_getsIt() {
    CountDownLatch free = new CountDownLatch(1);
    FakeServer full =
        new FakeServer("web", harness) {
          @Override
          public void stopListening(Deadline deadline) throws Exception {
            Harness.await(free);
            super.stopListening(deadline);
          }
        };
    full.connections.add(
        () -> {
          harness.events.add("close a");
          full.connections.clear();
          full.connectionsEnded.complete(null);
          free.countDown();
        });
    harness.builder().server(full).propagationDelay(Duration.ZERO);
    harness.terminate();
    harness.pass(600);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("close a", "stop listening web", "stop web"), serverEvents());
  }

  /** Read from a file, say, whose last line has an end. */
  @Test
  void server_nameHoldsALineEnd_isDrainedAsAnyOther() {
    FakeServer fromFile = new FakeServer("web\n", harness);
    fromFile.connectionsEnded.complete(null);
    harness.builder().server(fromFile).propagationDelay(Duration.ZERO);
    harness.terminate();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("stop listening web\n", "stop web\n"), serverEvents());
  }

  /** JDK clients before 24 drop what is in flight at a GOAWAY: time is left until then. */
  @Test
  void drain_busyConnection_isAskedAgainInTheLastQuarterAlone() {
    server.connections.add(harness.toldMore("a"));
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    // DRAIN lasts until 27.6 s at most.
    for (int millis = 500; millis <= 20_500; millis += 500) {
      harness.pass(millis);
      harness.awaitSequenceUntil(millis + 500);
      assertEquals(1, harness.announced(), () -> harness.events.toString());
    }
    harness.pass(21_000);
    harness.awaitSequenceUntil(21_500);
    assertEquals(2, harness.announced());
  }

  /** Before late requests are refused: those of a connection that stays would be. */
  @Test
  void drain_isShort_busyConnectionIsAskedAgainBeforeRequestsAreRefused() {
    server.connections.add(harness.toldMore("a"));
    harness
        .builder()
        .server(server)
        .propagationDelay(Duration.ZERO)
        .drainTimeout(Duration.ofSeconds(4));
    harness.install();
    harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(500);
    harness.awaitSequenceUntil(1_000);
    assertEquals(1, harness.announced());
    harness.pass(1_000);
    harness.awaitSequenceUntil(1_500);
    assertEquals(2, harness.announced());
    assertFalse(harness.isRefused());
  }

  @Test
  void drain_connectionOpenedWithinIt_isAskedOnce() {
    server.connections.add(connection("a"));
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(500);
    harness.awaitSequenceUntil(1_000);
    server.connections.add(harness.toldMore("b"));
    harness.pass(1_000);
    harness.awaitSequenceUntil(1_500);
    assertEquals(1, harness.announced());
    harness.pass(1_500);
    harness.awaitSequenceUntil(2_000);
    assertEquals(1, harness.announced());
  }

  /** Without a window, from the signal to the exit. */
  private void endByDrainTimeout() {
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(500);
    harness.awaitSequenceUntil(1_000);
    harness.ticker.advanceTo(Duration.ofSeconds(23));
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void drain_requestNeverEnds_isGivenUpAndNamedOnce() {
    server.connections.add(harness.toldMore("a"));
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    harness.enter("GET /endless");
    endByDrainTimeout();
    assertEquals(1, harness.events.stream().filter("give up a"::equals).count());
    assertEquals(
        1, log.text().lines().filter(line -> line.contains("DRAIN timed out; still")).count());
  }

  @Test
  void drain_requestEndsByBeingGivenUp_isAbandonedAndNotServed() {
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    TestPermit endless = harness.enter("GET /endless");
    server.connections.add(
        new HttpConnection() {
          @Override
          public void closeIfIdle() {}

          @Override
          public void forceClose() {
            endless.release();
          }
        });
    server.connectionsEnded.complete(null);
    endByDrainTimeout();
    assertEquals(1, harness.report().requests().abandoned());
    assertEquals(0, harness.report().requests().served());
  }

  @Test
  void drain_timesOut_eachRequestIsToldBeforeItsConnection() {
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
    for (String name : List.of("a", "b")) {
      TestPermit endless =
          new TestPermit("GET /endless") {
            @Override
            protected boolean giveUp() {
              harness.events.add("told " + name);
              throw new IllegalStateException("of the adapter's own");
            }
          };
      assertTrue(harness.shutdown().gate().enter(endless));
    }
    server.connections.add(harness.toldMore("c"));
    endByDrainTimeout();
    List<String> told =
        harness.events.stream()
            .filter(event -> event.startsWith("told ") || event.startsWith("give up"))
            .toList();
    assertEquals(List.of("give up c"), told.subList(2, told.size()));
    assertEquals(Set.of("told a", "told b"), Set.copyOf(told.subList(0, 2)));
  }

  /** The next phase is owed none of the time behind a timeout that was set. */
  @Test
  void drain_ownTimeoutPassed_whatIsAnsweredHasASecondForIt() {
    harness.builder().drainTimeout(Duration.ofSeconds(2)).propagationDelay(Duration.ZERO);
    harness.install();
    TestPermit answered =
        new TestPermit("GET /late") {
          @Override
          protected boolean giveUp() {
            return true;
          }
        };
    assertTrue(harness.shutdown().gate().enter(answered));
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(1_000);
    harness.pass(2_000);
    harness.ticker.awaitParkedUntil(
        "lastcall-step-answer what still runs", Duration.ofMillis(2_750));
    harness.ticker.advanceTo(Duration.ofMillis(2_500));
    assertTrue(answered.release());
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(500), harness.step("answer what still runs").took());
  }

  @Test
  void drain_requestArrivesWhenNoneWasLeftAndNeverEnds_isGivenUpAndNamed() {
    server.connections.add(harness.toldMore("a"));
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServingWithConnections();
    harness.awaitSequenceUntil(15_500);
    harness.enter("GET /late");
    harness.pass(15_500);
    harness.pass(16_000);
    harness.awaitSequenceUntil(16_500);
    harness.ticker.advanceTo(Duration.ofMillis(22_725));
    harness.awaitSequenceUntil(27_600);
    assertTrue(harness.isRefused());
    assertFalse(harness.events.contains("give up a"));
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertTrue(harness.events.contains("give up a"), harness.events.toString());
    log.assertLogged("DRAIN timed out; still in flight:");
    log.assertLogged("GET /late");
  }

  @Test
  void drain_requestArrivesOnAConnectionThatIsStillOpen_isServedAndAwaited() {
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServing();
    harness.awaitSequenceUntil(15_500);
    TestPermit late = harness.enter("GET /late");
    server.connectionsEnded.complete(null);
    harness.awaitSequenceUntil(27_600);
    assertFalse(serverEvents().contains("stop web"));
    assertTrue(harness.isRefused(), "the gate closes last: listener and connections are gone");
    assertTrue(late.release());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(1, harness.report().requests().late());
  }

  @Test
  void drain_connectionsNeverEnd_halfSentRequestsHoldItForASecondOnly() {
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServing();
    harness.pass(15_500);
    harness.pass(16_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(1), harness.phase(Phase.DRAIN).took());
    log.assertLogged("half-sent requests");
  }

  /** Of ten thousand, on half a processor, say. */
  @Test
  void drain_idleConnectionsEndOneByOne_isTheirTurnNotAHalfSentRequests() {
    for (int i = 0; i < 3; i++) {
      server.connections.add(() -> {});
    }
    harness.builder().server(server);
    harness.terminateAfterARequest();
    harness.passKeepServingWithConnections();
    for (int millis = 15_500; !server.connections.isEmpty(); millis += 500) {
      harness.awaitSequenceUntil(millis);
      server.connections.remove(0);
      harness.ticker.advanceTo(Duration.ofMillis(millis));
    }
    harness.awaitSequenceUntil(17_000);
    server.connectionsEnded.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(1_500), harness.phase(Phase.DRAIN).took());
  }

  /** Half-closed ones, whose clients close them when it suits them. */
  @Test
  void drain_fewOfManyConnectionsEnd_isNotHeldUpByThem() {
    for (int i = 0; i < 20; i++) {
      server.connections.add(() -> {});
    }
    harness.builder().server(server);
    harness.terminateAfterARequest();
    harness.passKeepServingWithConnections();
    for (int millis = 15_500; millis <= 16_000; millis += 500) {
      harness.awaitSequenceUntil(millis);
      server.connections.remove(0);
      harness.ticker.advanceTo(Duration.ofMillis(millis));
    }
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(1), harness.phase(Phase.DRAIN).took());
    log.assertLogged("half-sent requests");
  }

  @Test
  void drain_connectionsNeverEndAndARequestComesLate_theOthersHaveASecondBehindItAgain() {
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServing();
    harness.pass(15_500);
    harness.awaitSequenceUntil(16_000);
    TestPermit late = harness.enter("GET /late");
    harness.pass(16_000);
    harness.awaitSequenceUntil(22_725);
    assertTrue(late.release());
    harness.pass(16_500);
    harness.pass(17_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(2), harness.phase(Phase.DRAIN).took());
  }

  @Test
  void drain_responseOfAnEarlierRequestStillLeaves_isWaitedFor() {
    AnsweringConnection slow = new AnsweringConnection();
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServing();
    server.connections.add(slow);
    harness.pass(15_500);
    harness.pass(16_000);
    harness.awaitSequenceUntil(16_500);
    assertFalse(serverEvents().contains("stop web"));
    slow.answering = false;
    server.connectionsEnded.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(1), harness.phase(Phase.DRAIN).took());
  }

  @Test
  void drain_responseNeverTaken_timesOut() {
    harness.builder().server(server).drainTimeout(Duration.ofSeconds(2));
    harness.terminate();
    harness.passKeepServing();
    server.connections.add(new AnsweringConnection());
    for (long millis = 15_500; millis <= 17_000; millis += 500) {
      harness.pass(millis);
    }
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(2), harness.phase(Phase.DRAIN).took());
    log.assertLogged("some responses are not sent yet");
  }

  @Test
  void drain_connectionTooYoungToBeIdle_isToldOnceMore() {
    harness.builder().server(server);
    harness.terminate();
    harness.passKeepServing();
    harness.awaitSequenceUntil(15_500);
    server.connections.add(() -> server.connectionsEnded.complete(null));
    harness.ticker.advanceTo(Duration.ofMillis(15_500));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(500), harness.phase(Phase.DRAIN).took());
  }

  @Test
  void server_everyCallbackThrows_neitherCutsPhasesShortNorStopsTheSequence() {
    harness.builder().server(new Throwing(harness)).server(server);
    server.connections.add(connection("a"));
    server.connectionsEnded.complete(null);
    harness.terminate();
    harness.passKeepServingWithConnections();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(15), harness.phase(Phase.KEEP_SERVING).took());
    assertTrue(harness.isRefused(), "the gate was closed");
    assertEquals(List.of("close a", "stop listening web", "close a", "stop web"), serverEvents());
    String bad = Throwing.class.getName();
    assertEquals(Result.FAILED, harness.step("stop " + bad).result());
    assertEquals(Result.FAILED, harness.step("stop listening " + bad).result());
  }

  @Test
  void server_everyCallbackThrowsAnError_neitherCutsPhasesShortNorStopsTheSequence() {
    harness
        .builder()
        .server(
            new FakeServer("bad", harness) {
              @Override
              public List<HttpConnection> connections() {
                throw new OutOfMemoryError("connections");
              }

              @Override
              public CompletionStage<?> connectionsEnded() {
                throw new OutOfMemoryError("connectionsEnded");
              }
            })
        .server(server);
    server.connections.add(
        new HttpConnection() {
          @Override
          public void announceClose() {
            throw new OutOfMemoryError("announce");
          }

          @Override
          public void closeIfIdle() {
            throw new OutOfMemoryError("closeIfIdle");
          }
        });
    server.connectionsEnded.complete(null);
    harness.terminateAfterARequest();
    harness.passKeepServingWithConnections();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(15), harness.phase(Phase.KEEP_SERVING).took());
    log.assertLogged("Could not tell a connection of web to leave");
  }

  @Test
  void server_stopHangs_isLeftBehindWhenExitIsOver() {
    harness
        .builder()
        .server(
            new FakeServer("web", harness) {
              @Override
              public void stop(Deadline deadline) throws Exception {
                new CountDownLatch(1).await();
              }
            });
    harness.terminate();
    harness.passKeepServing();
    harness.pass(15_500);
    harness.pass(16_000); // the connections that never end
    harness.pass(28_250); // exit-timeout is reserved, no limit
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.TIMED_OUT, harness.step("stop web").result());
  }

  private static final class Throwing extends FakeServer {
    Throwing(Harness harness) {
      super("bad", harness);
    }

    @Override
    public String name() {
      throw new IllegalStateException("name");
    }

    @Override
    public List<HttpConnection> connections() {
      throw new IllegalStateException("connections");
    }

    @Override
    public void stopListening(Deadline deadline) {
      throw new IllegalStateException("stopListening");
    }

    @Override
    public CompletionStage<?> connectionsEnded() {
      throw new IllegalStateException("connectionsEnded");
    }

    @Override
    public void stop(Deadline deadline) {
      throw new IllegalStateException("stop");
    }
  }
}
