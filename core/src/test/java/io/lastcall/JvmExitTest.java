package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.StepReport.Result;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The shutdown that begins in a JVM hook, because somebody else has called System.exit. */
@Timeout(120)
class JvmExitTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  @Test
  void exitBySomebodyElse_nothingInFlight_skipsKeepServingAndKeepsTheirCode() {
    harness.builder().step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("pool"));
    harness.install();
    harness.jvm.exitBySomebodyElse(7);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertTrue(harness.jvm.runs());
    assertEquals(Kind.JVM_EXIT, harness.report().trigger().kind());
    assertEquals(Duration.ZERO, harness.report().took());
    assertTrue(harness.events.contains("pool"));
    assertEquals(503, harness.probe("/readyz"));
    log.assertLogged(
        "clean after 0 ms (the JVM's end by its last thread, System.exit or SIGHUP), exit code left"
            + " as it is\n");
    assertTrue(harness.report().json().contains("\"exitCode\":null"));
  }

  @Test
  void exitBySomebodyElse_requestInFlight_drainsForTheShortTimeOnly() {
    harness.install();
    harness.enter("GET /endless");
    harness.jvm.exitBySomebodyElse(7);
    harness.pass(2_500); // the cutoff is at most half of what there is
    harness.pass(5_000);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(5), harness.phase(Phase.DRAIN).took());
  }

  @Test
  void exitBySomebodyElse_lastRequestEnds_goesOnAtThatInstant() {
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    harness.jvm.exitBySomebodyElse(7);
    harness.awaitSequenceUntil(2_500);
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
  }

  @Test
  void exitInsideARequest_takesTheShortDrain() {
    harness.builder().server(new FakeServer("web", harness));
    harness.install();
    Thread worker = harness.jvm.prepareExit(7);
    harness.enter("GET /exit", worker);
    worker.start();
    harness.pass(2_500);
    harness.pass(5_000);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(5), harness.report().took());
    assertEquals(1, harness.report().requests().abandoned());
    assertTrue(harness.events.contains("stop web"));
    log.assertLogged("request GET /exit");
  }

  @Test
  void exitInsideARequest_drainTimeoutIsLess_takesThatTime() {
    harness.builder().drainTimeout(Duration.ofSeconds(2));
    harness.install();
    Thread worker = harness.jvm.prepareExit(7);
    harness.enter("GET /exit", worker);
    worker.start();
    harness.pass(1_000);
    harness.pass(2_000);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(2), harness.report().took());
  }

  /** The call never returns, so that step hangs. */
  @Test
  void exitInsideAStep_takesTheTimeoutOfThatStep() {
    harness
        .builder()
        .step(
            Step.of(Phase.DRAIN, "exit", context -> harness.jvm.exit(7))
                .withTimeout(Duration.ofSeconds(1)));
    harness.terminate();
    harness.passKeepServing();
    harness.ticker.awaitParkedUntil("lastcall-steps-DRAIN", Duration.ofSeconds(16));
    Harness.awaitWaiting("lastcall-hook"); // the step is inside its exit by then
    harness.ticker.advanceTo(Duration.ofSeconds(16));
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(16), harness.report().took());
    assertEquals(Result.TIMED_OUT, harness.step("exit").result());
  }

  @Test
  void exitInsideAStep_afterAnotherExit_takesTheShortDrain() {
    harness.builder().step(Phase.DRAIN, "exit", context -> harness.jvm.exit(8));
    harness.install();
    harness.jvm.exitBySomebodyElse(7);
    harness.ticker.awaitParkedUntil("lastcall-steps-DRAIN", Duration.ofSeconds(5));
    harness.ticker.advanceTo(Duration.ofSeconds(5));
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(5), harness.report().took());
    assertEquals(Result.TIMED_OUT, harness.step("exit").result());
  }

  /** As in {@code begin("done").thenRun(() -> System.exit(7))}. */
  @Test
  void exitInADependentOfBegin_takesTheTimeOfTheReport() {
    CompletableFuture<Void> exit =
        harness.install().begin("done").thenRun(() -> harness.jvm.exit(7));
    harness.passKeepServing();
    Harness.awaitWaiting("lastcall-hook"); // the dependent is inside its exit by then
    harness.pass(15_750);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertFalse(exit.isDone());
  }

  @Test
  void exitBySomebodyElse_whileOurSequenceRuns_isHeldUntilTheSequenceIsOver() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    harness.jvm.exitBySomebodyElse(7);
    Harness.awaitWaiting("lastcall-hook");
    harness.passKeepServing();
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals("SIGTERM", harness.report().trigger().reason());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
    assertFalse(harness.report().exitCodeIsOurs());
    log.assertLogged("clean after 15000 ms (SIGTERM), exit code left as it is\n");
    assertTrue(harness.jvm.runs());
  }

  /** A job that has done all its work, and returns from {@code main}. */
  @Test
  void lastThreadEnds_theJobIsDone_theReportIsOneLineWithoutAProblem() {
    harness.install();
    harness.shutdown().beginJob("nightly").close();
    harness.jvm.exitBySomebodyElse(0);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    log.assertLogged(
        "Shutdown clean after 0 ms (the JVM's end by its last thread, System.exit or SIGHUP), exit"
            + " code left as it is\n");
    assertFalse(log.text().contains("work 'jobs'"), log::text);
    assertEquals(1, harness.report().lines().size());
  }

  @Test
  void exitBySomebodyElse_beforeStarted_isNotHeldUp() {
    harness.builder().awaitStarted();
    harness.install();
    harness.jvm.exitBySomebodyElse(7);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(0, harness.events.size());
    log.assertLogged(
        "the JVM's end by its last thread, System.exit or SIGHUP before start-up was over: it is"
            + " not delayed");
  }

  @Test
  void ourExit_runsOurOwnHook_whichWaitsOnALatchAndNeverJoinsTheSequence() {
    // The fake JVM joins every hook before the exit is recorded, as the real one does.
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void hook_interrupted_staysUntilTheSequenceIsOver() {
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    harness.jvm.exitBySomebodyElse(7);
    harness.awaitSequenceUntil(2_500);
    harness.jvm.interruptHooks();
    assertTrue(harness.jvm.runs());
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(0, harness.report().requests().abandoned());
  }
}
