package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class SequenceTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private int readiness() {
    return harness.probe("/readyz");
  }

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  @Test
  void sigterm_nothingToDo_runsThePhasesInOrderAndExitsCleanly() {
    for (Phase phase : Phase.values()) {
      harness.builder().step(phase, phase.name(), context -> {});
    }
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(
        List.of(
            "began SIGTERM",
            "+KEEP_SERVING",
            "-KEEP_SERVING",
            "+FAIL_READINESS",
            "-FAIL_READINESS",
            "+DRAIN",
            "-DRAIN",
            "+CLOSE_CONNECTIONS",
            "-CLOSE_CONNECTIONS",
            "+EXIT",
            "-EXIT",
            "completed"),
        harness.events);
    ShutdownReport report = harness.report();
    assertEquals(Kind.STOP_SIGNAL, report.trigger().kind());
    assertEquals(Outcome.CLEAN, report.outcome());
    assertEquals(millis(15_000), report.took());
    assertEquals(5, report.steps().size());
    log.assertLogged(
        """
        Shutdown clean after 15000 ms (SIGTERM), exit code 0
          KEEP_SERVING 15 s, FAIL_READINESS 0 ms, DRAIN 0 ms, CLOSE_CONNECTIONS 0 ms, EXIT 0 ms
          requests served 0, late 0, refused 0, abandoned 0 since the trigger
        """);
  }

  @Test
  void keepServing_propagating_servesEverythingForTheDelay() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertEquals(Optional.of(Phase.KEEP_SERVING), harness.shutdown().phase());
    assertEquals(200, readiness());
    harness.ticker.advance(millis(2_000));
    TestPermit permit = harness.enter("GET /");
    assertTrue(permit.release());
    harness.pass(11_250);
    harness.pass(15_000);
    harness.jvm.awaitEnding();
    PhaseReport report = harness.phase(Phase.KEEP_SERVING);
    assertEquals(millis(15_000), report.took());
    assertEquals(millis(15_000), report.planned());
    assertEquals(1, harness.report().requests().served());
    assertEquals(0, harness.report().requests().late());
    assertEquals(Optional.of(millis(2_000)), harness.report().requests().lastArrival());
    log.assertLogged("last new request after 2000 ms");
  }

  @Test
  void keepServing_rampOfClose_isCompleteInTheMiddleOfTheWindow() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    assertFalse(harness.shutdown().gate().shouldCloseConnection());
    harness.ticker.advance(millis(7_500));
    for (int i = 0; i < 1_000; i++) {
      assertTrue(harness.shutdown().gate().shouldCloseConnection());
    }
  }

  @Test
  void keepServing_adaptiveAndSilent_endsEarlyAndSaysSo() {
    harness.builder().adaptivePropagation(Duration.ofSeconds(3), Duration.ofSeconds(15));
    harness.install();
    harness.passHistory(100);
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(302_250); // idle connections are closed from here on
    harness.pass(304_500);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(4_500), harness.phase(Phase.KEEP_SERVING).took());
    assertEquals(millis(15_000), harness.phase(Phase.KEEP_SERVING).planned());
    assertTrue(harness.phase(Phase.KEEP_SERVING).complete());
    log.assertLogged("KEEP_SERVING ends early: 1500 ms of silence");
  }

  @Test
  void keepServing_preStopHasWaited_isShorter() {
    harness.builder().preStopDelay(Duration.ofSeconds(5));
    harness.terminate();
    harness.pass(7_500);
    harness.pass(10_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(10_000), harness.report().took());
  }

  @Test
  void readiness_afterPropagation_failsOnlyThen() {
    harness.builder().readinessHold(Duration.ofSeconds(3));
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertEquals(200, readiness());
    harness.ticker.advanceTo(millis(15_000));
    harness.awaitSequenceUntil(18_000);
    assertEquals(503, readiness());
    assertEquals(200, harness.probe("/livez"));
    assertEquals(Optional.of(Phase.FAIL_READINESS), harness.shutdown().phase());
    assertTrue(harness.enter("GET /").release());
    harness.ticker.advanceTo(millis(18_000));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(3_000), harness.phase(Phase.FAIL_READINESS).took());
    assertEquals(0, harness.report().requests().late(), "the hold is for such");
  }

  /** A balancer leaves 8 s after readiness failed; with the hold that the advice names it fits. */
  @Test
  void readinessHold_raisedAsAdvised_isEnoughInTheNextShutdown() {
    List<String> first = adviceWithHold(harness, 5);
    assertEquals(1, first.size());
    assertTrue(first.get(0).contains("raise readiness-hold to 11 s"), first::toString);
    assertEquals(List.of(), adviceWithHold(new Harness(), 11));
  }

  private static List<String> adviceWithHold(Harness round, int seconds) {
    round.builder().gracePeriod(Duration.ofMinutes(1)).readinessHold(Duration.ofSeconds(seconds));
    round.install();
    TestPermit slow = round.enter("GET /slow");
    Harness.join(round.jvm.raise("TERM"));
    round.pass(11_250);
    round.pass(15_000);
    round.awaitSequence();
    round.ticker.advanceTo(millis(23_000));
    RequestGate gate = round.shutdown().gate();
    gate.cameBy(gate.accepted(null));
    assertTrue(round.enter("GET /").release());
    round.ticker.advanceTo(millis(26_000));
    round.awaitSequence();
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 0), round.jvm.awaitEnding());
    return round.report().advice();
  }

  /** A container restarted in place: its endpoint leaves only when readiness fails. */
  @Test
  void readiness_newConnectionsAtTheEndOfTheDelay_failsBeforeTheListenerCloses() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    harness.ticker.advanceTo(millis(11_250));
    harness.awaitSequenceUntil(15_000);
    harness.ticker.advanceTo(millis(14_000));
    connect();
    harness.ticker.advanceTo(millis(15_000));
    harness.awaitSequenceUntil(17_000);
    assertEquals(503, readiness());
    harness.ticker.advanceTo(millis(16_500));
    connect();
    harness.ticker.advanceTo(millis(17_000));
    harness.awaitSequenceUntil(18_500);
    harness.ticker.advanceTo(millis(18_000));
    connect();
    harness.ticker.advanceTo(millis(18_500));
    harness.pass(19_875); // at most, although a connection came 1.875 s ago
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(4_875), harness.phase(Phase.FAIL_READINESS).took());
    log.assertLogged(
        "Readiness fails now (/readyz 503); serving on for up to 4875 ms until checks see it, since"
            + " new connections still come; it ends once none has come for 2000 ms");
  }

  @Test
  void readiness_noConnectionSinceReadinessFailed_theHoldEndsAfterTwoSeconds() {
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    harness.ticker.advanceTo(millis(15_000).minusMillis(1));
    connect();
    harness.ticker.advanceTo(millis(15_000));
    harness.awaitSequenceUntil(17_000);
    harness.ticker.advanceTo(millis(15_254));
    connect();
    harness.ticker.advanceTo(millis(17_000));
    harness.pass(17_254);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(2_254), harness.phase(Phase.FAIL_READINESS).took());
  }

  /** A kubelet that asks every second and a half fails it after three answers. */
  @Test
  void readiness_probesComeMoreSlowly_theHoldEndsAfterAsManyAsMustFail() {
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    for (int at : new int[] {11_300, 12_800, 14_300}) {
      harness.ticker.advanceTo(millis(at));
      assertEquals(200, readiness());
    }
    connect();
    harness.ticker.advanceTo(millis(15_000));
    harness.pass(19_500);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(4_500), harness.phase(Phase.FAIL_READINESS).took());
  }

  @Test
  void readiness_holdIsSet_isHeldForAllOfIt() {
    harness.builder().readinessHold(millis(3_000));
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    connect();
    harness.ticker.advanceTo(millis(14_500));
    connect();
    harness.ticker.advanceTo(millis(15_000));
    harness.pass(18_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(3_000), harness.phase(Phase.FAIL_READINESS).took());
    log.assertLogged("for up to 3000 ms until checks see it, since new connections still come");
  }

  /** By the ramp of Connection: close, clients of older connections come back to the end. */
  @Test
  void readiness_newConnectionsInTheFirstHalfOfTheDelayOnly_isNotHeld() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    harness.ticker.advanceTo(millis(7_000));
    connect();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertTrue(harness.enter("GET /kept-alive").release());
    harness.ticker.advanceTo(millis(15_000));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.phase(Phase.FAIL_READINESS).took());
  }

  private void connect() {
    RequestGate gate = harness.shutdown().gate();
    gate.cameBy(gate.accepted(null));
    assertTrue(harness.enter("GET /").release());
  }

  @Test
  void readiness_immediate_failsAtTheTrigger() {
    harness.builder().readinessPolicy(ReadinessPolicy.IMMEDIATE);
    harness.install();
    assertEquals(200, readiness());
    Harness.join(harness.jvm.raise("TERM"));
    assertEquals(503, readiness());
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void readiness_never_staysReadyToTheEnd() {
    harness.builder().readinessPolicy(ReadinessPolicy.NEVER);
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(200, readiness());
  }

  @Test
  void drain_lastRequestEnds_exitsAtThatInstant() {
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequenceUntil(22_725); // the cutoff
    harness.ticker.advance(millis(1_234));
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(16_234), harness.report().took());
    assertEquals(1, harness.report().requests().served());
    log.assertLogged("DRAIN waits for 1 request in flight, for up to 12600 ms");
  }

  @Test
  void drain_lateRequests_areServedUntilTheCutoffAndRefusedOnlyAfterIt() {
    harness.install();
    harness.enter("GET /endless");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequenceUntil(22_725);
    TestPermit late = harness.enter("GET /late");
    assertTrue(harness.shutdown().gate().shouldCloseConnection());
    harness.ticker.advanceTo(millis(22_725));
    harness.awaitSequenceUntil(27_600);
    assertTrue(harness.isRefused());
    assertTrue(late.release());
    harness.ticker.advanceTo(millis(27_600));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    ShutdownReport report = harness.report();
    assertEquals(Outcome.INCOMPLETE, report.outcome());
    assertEquals(1, report.requests().served());
    assertEquals(1, report.requests().late());
    assertEquals(1, report.requests().refused());
    assertEquals(1, report.requests().abandoned());
    assertFalse(harness.phase(Phase.DRAIN).complete());
    log.assertLogged("DRAIN timed out; still in flight:\n  request GET /endless, 1500 ms old");
    log.assertLogged("\n  DRAIN incomplete");
  }

  @Test
  void drain_policyReject_refusesFromTheStart() {
    harness.builder().lateRequests(LateRequestPolicy.REJECT);
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequenceUntil(27_600);
    assertTrue(harness.isRefused());
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(1, harness.report().requests().refused());
    assertEquals(1, harness.report().requests().served());
  }

  @Test
  void log_fails_everyPhaseRunsAllTheSame() {
    harness.install();
    TestPermit request = harness.enter("GET /slow");
    System.setErr(
        new PrintStream(
            new OutputStream() {
              @Override
              public void write(int b) {
                throw new IllegalStateException("the log is broken");
              }
            },
            true));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequence();
    assertTrue(request.release());
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(5, harness.report().phases().size());
    assertEquals(millis(15_000), harness.report().took());
  }

  @Test
  void drain_permitThatCannotTellOfItself_neitherCutsPhasesShortNorEndsTheSequence() {
    harness.install();
    harness
        .shutdown()
        .gate()
        .enter(
            new Permit() {
              @Override
              protected String description() {
                throw new IllegalStateException("description");
              }

              @Override
              protected Optional<Duration> age() {
                throw new IllegalStateException("age");
              }

              @Override
              protected Optional<Thread> thread() {
                throw new NoClassDefFoundError("thread");
              }
            });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(22_725); // the cutoff
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(5, harness.report().phases().size());
    assertEquals("request", harness.report().unfinished().get(0).description());
  }

  @Test
  void exit_cleanExitCodeConfigured_isUsedForCleanOnly() {
    harness.builder().cleanExitCode(143);
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
  }

  @Test
  void exit_cleanExitCodeConfiguredButAStepFailed_is80() {
    harness
        .builder()
        .cleanExitCode(143)
        .step(
            Phase.DRAIN,
            "broken",
            context -> {
              throw new IllegalStateException("broken");
            });
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
  }

  @Test
  void interrupt_fromATerminal_skipsKeepServing() {
    harness.install();
    Harness.join(harness.jvm.raise("INT"));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
    assertEquals(Kind.INTERRUPT, harness.report().trigger().kind());
  }

  @Test
  void interrupt_configuredAsStopSignal_keepsServing() {
    harness.builder().stopSignals("TERM", "INT");
    harness.install();
    Harness.join(harness.jvm.raise("INT"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Kind.STOP_SIGNAL, harness.report().trigger().kind());
  }

  @Test
  void probes_toTheVeryEnd_areAnsweredAndAreNoTraffic() {
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(503, readiness());
    assertEquals(200, harness.probe("//livez"));
    assertEquals(200, harness.probe("/startupz"));
    assertFalse(harness.shutdown().probes().isProbe("/orders"));
    assertEquals(0, harness.report().requests().served());
  }
}
