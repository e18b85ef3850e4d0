package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What holds when something hangs for good: the reporter just before the end, the halter. */
@Timeout(120)
class GuardsTest {
  private static final Duration REPORT = Duration.ofMillis(28_600);

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private void hang() {
    harness.events.add("hangs");
    Harness.hang();
  }

  private void awaitHanging() {
    Awaitility.await().until(() -> harness.events.contains("hangs"));
  }

  @Test
  void otherHookHangs_isNamedAndHalterEndsTheProcess() {
    harness.jvm.addHook(new Thread(this::hang, "somebody's hook"));
    harness.terminate();
    harness.passKeepServing();
    awaitHanging();
    harness.ticker.awaitParkedUntil("lastcall-watch", REPORT);
    harness.ticker.advanceTo(REPORT);
    log.awaitLogged("thread somebody's hook:");
    log.awaitLogged( // on standard error too, after that
        "lastcall: Halt in 400 ms unless the process ends: the exit hangs; JVM hooks of others that"
            + " still run:");
    assertTrue(harness.jvm.runs());
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  @Test
  void sequenceItselfHangs_isShownWithRequestsAndHalterEndsTheProcess() {
    FakeServer server = new FakeServer("web", harness);
    server.connections.add(this::hang);
    harness.builder().server(server);
    harness.install();
    Thread worker = new Thread(this::hang, "worker of GET /endless");
    worker.setDaemon(true);
    worker.start();
    Harness.awaitWaiting("worker of GET /endless");
    harness.events.clear();
    harness.enter("GET /endless", worker);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServingWithConnections();
    awaitHanging();
    harness.ticker.awaitParkedUntil("lastcall-watch", REPORT);
    harness.ticker.advanceTo(REPORT);
    log.awaitLogged("Halt in 400 ms unless the process ends: KEEP_SERVING is late; still running:");
    log.assertLogged("\n  request GET /endless, 1500 ms old");
    log.assertLogged("io.lastcall.GuardsTest.hang(");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  @Test
  void keepServingStepHangs_leavesDrainThreeQuartersOfItsTimeAndTheSequenceGoesOn() {
    harness.builder().step(Phase.KEEP_SERVING, "registry", context -> hang());
    harness.terminate();
    harness.passKeepServing();
    awaitHanging();
    passHanging(Phase.KEEP_SERVING, 17_437_500);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofNanos(10_162_500_000L), harness.phase(Phase.DRAIN).planned());
    assertFalse(log.text().contains("Halt in"));
  }

  @Test
  void stepsOfBothPhasesThatEndByTheClockHang_leaveDrainHalfOfItsTimeTogether() {
    harness.builder().step(Phase.KEEP_SERVING, "registry", context -> hang());
    harness.builder().step(Phase.FAIL_READINESS, "balancer", context -> hang());
    harness.terminate();
    harness.passKeepServing();
    passHanging(Phase.KEEP_SERVING, 17_437_500);
    passHanging(Phase.FAIL_READINESS, 19_875_000);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofMillis(7_725), harness.phase(Phase.DRAIN).planned());
  }

  /** Moves to where a step is interrupted that hangs. */
  private void passHanging(Phase phase, long micros) {
    Duration end = Duration.ofNanos(micros * 1_000);
    harness.ticker.awaitParkedUntil("lastcall-steps-" + phase, end);
    harness.ticker.advanceTo(end);
  }

  @Test
  void otherHookHangs_inAnExitOfSomebodyElse_isSaid() {
    harness.jvm.addHook(new Thread(this::hang, "somebody's hook"));
    harness.install();
    harness.jvm.exitBySomebodyElse(3);
    awaitHanging();
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    Harness.awaitWaiting("lastcall-watch");
    harness.ticker.awaitParkedUntil("lastcall-watch", REPORT);
    harness.ticker.advanceTo(REPORT);
    log.awaitLogged("thread somebody's hook:");
    log.awaitLogged( // on standard error too, after that
        "lastcall: Halt in 400 ms unless the process ends: an exit that the application called"
            + " hangs; still running:");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  /** DRAIN has all the time there is until EXIT where nothing else needs it. */
  @Test
  void drainTimesOutRightBeforeExit_saysNothingOfAHalt() {
    harness.drainInVain();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertFalse(log.text().contains("Halt in"));
  }

  /** A library that tests System.exit installs a SecurityManager, on JDK 17. */
  @Test
  void exitIsRefused_theProcessIsHaltedWithTheSameCode() {
    harness.jvm.refuseExits();
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("halt", 0), harness.jvm.awaitEnding());
    log.awaitLogged("The exit has failed; the process is halted");
  }

  @Test
  void clean_saysNothingOfAHalt() {
    harness.builder().step(Phase.DRAIN, "quick", context -> {});
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(log.text().contains("Halt in"));
  }
}
