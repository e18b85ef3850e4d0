package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.Outcome;
import io.lastcall.report.StepReport.Result;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
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
        "clean after 0 ms (JVM exit by System.exit, SIGHUP or the last thread's end), exit code of"
            + " whoever called for the exit\n");
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
  void exitBySomebodyElse_insideARequest_doesNotWaitForThatRequest() {
    harness.install();
    Thread worker = harness.jvm.prepareExit(7);
    harness.enter("GET /exit", worker);
    TestPermit slow = harness.enter("GET /slow");
    worker.start();
    harness.awaitSequenceUntil(2_500);
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
  }

  private final FakeServer server = new FakeServer("web", harness);

  /** A request of the server's calls for the exit: its connection is owed an answer for good. */
  private void exitInsideARequestOfTheServer() {
    server.connections.add(new AnsweringConnection());
    // DRAIN begins behind the hook's last word on that request.
    harness
        .builder()
        .server(server)
        .step(Phase.FAIL_READINESS, "spared", context -> Harness.awaitWaiting("lastcall-hook"));
    harness.install();
    Thread worker = harness.jvm.prepareExit(7);
    harness.enter("GET /exit", worker);
    worker.start();
  }

  private void assertDrainedCleanlyIn(Duration time) {
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(time, harness.phase(Phase.DRAIN).took());
    assertEquals(0, harness.report().requests().abandoned());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    assertTrue(harness.events.contains("stop web"));
  }

  @Test
  void exitBySomebodyElse_insideARequestOfAServer_doesNotWaitForItsConnection() {
    exitInsideARequestOfTheServer();
    assertDrainedCleanlyIn(Duration.ZERO);
    assertFalse(log.text().contains("half-sent"), log::text);
  }

  @Test
  void exitBySomebodyElse_insideARequestOfAServer_waitsForConnectionsOfOthersOnly() {
    HttpConnection other = () -> {};
    server.connections.add(other);
    exitInsideARequestOfTheServer();
    harness.awaitSequenceUntil(20);
    assertTrue(server.connections.remove(other));
    harness.ticker.advanceTo(Duration.ofMillis(20));
    assertDrainedCleanlyIn(Duration.ofMillis(20));
  }

  @Test
  void exitBySomebodyElse_insideARequestOfAServer_isHeldByAHalfSentOneForASecondOnly() {
    server.connections.add(() -> {});
    exitInsideARequestOfTheServer();
    harness.awaitSequenceUntil(20);
    harness.ticker.advanceTo(Duration.ofMillis(500));
    harness.awaitSequenceUntil(520);
    harness.ticker.advanceTo(Duration.ofSeconds(1));
    assertDrainedCleanlyIn(Duration.ofSeconds(1));
    log.assertLogged("half-sent requests, or WebSockets being opened, or what System.exit holds");
  }

  @Test
  void exitBySomebodyElse_insideSeveralRequests_waitsForNoneOfThem() {
    harness.install();
    Thread first = harness.jvm.prepareExit(7);
    Thread second = harness.jvm.prepareExit(8);
    harness.enter("GET /exit", first);
    harness.enter("GET /exit", second);
    // Whoever comes second sits in its own exit by the time the hooks run.
    harness.jvm.beforeHooks(
        () -> {
          second.start();
          Awaitility.await().until(() -> harness.jvm.isExiting(second));
        });
    first.start();
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
  }

  /** Found out at the next look, which is in real time. */
  @Test
  void exitBySomebodyElse_anotherRequestCallsForItLater_waitsForNeitherOfThem() {
    harness.install();
    Thread first = harness.jvm.prepareExit(7);
    Thread second = harness.jvm.prepareExit(8);
    harness.enter("GET /exit", first);
    harness.enter("GET /exit", second);
    first.start();
    harness.awaitSequenceUntil(2_500);
    second.start();
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
    assertEquals(0, harness.report().requests().abandoned());
  }

  @Test
  void exitBySomebodyElse_stepCallsForItToo_isNotWaitedFor() {
    harness.builder().step(Phase.DRAIN, "exit", context -> harness.jvm.exit(8));
    harness.install();
    harness.jvm.exitBySomebodyElse(7);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
    assertEquals(Result.FAILED, harness.step("exit").result());
  }

  @Test
  void exitInsideAStep_isNotWaitedFor() {
    harness.builder().step(Phase.DRAIN, "exit", context -> harness.jvm.exit(7));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
    assertEquals(Result.FAILED, harness.step("exit").result());
  }

  /** As in {@code begin("done").thenRun(() -> System.exit(7))}. */
  @Test
  void exitInADependentOfBegin_isNotWaitedFor() {
    CompletableFuture<Void> exit =
        harness.install().begin("done").thenRun(() -> harness.jvm.exit(7));
    harness.passKeepServing();
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
    log.assertLogged("clean after 15000 ms (SIGTERM), exit code of whoever called for the exit\n");
    assertTrue(harness.jvm.runs());
  }

  @Test
  void exitBySomebodyElse_insideARequestWhileWeDrain_doesNotWaitForThatRequest() {
    harness.install();
    Thread worker = harness.jvm.prepareExit(7);
    harness.enter("GET /exit", worker);
    TestPermit slow = harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequenceUntil(22_725); // the cutoff of late requests, 4.875 s before DRAIN's end
    worker.start();
    Harness.awaitWaiting("lastcall-hook");
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
    assertEquals(0, harness.report().requests().abandoned());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
  }

  @Test
  void exitBySomebodyElse_beforeStarted_isNotHeldUp() {
    harness.builder().awaitStarted();
    harness.install();
    harness.jvm.exitBySomebodyElse(7);
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
    assertEquals(0, harness.events.size());
    log.assertLogged(
        "JVM exit by System.exit, SIGHUP or the last thread's end before started(): it is not held"
            + " up");
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

  @Test
  void hook_interruptedAndCannotLogIt_staysUntilTheSequenceIsOver() {
    harness.install();
    TestPermit slow = harness.enter("GET /slow");
    AtomicInteger failures = new AtomicInteger();
    System.setErr(failing("lastcall-hook", failures));
    harness.jvm.exitBySomebodyElse(7);
    harness.awaitSequenceUntil(2_500);
    Awaitility.await()
        .until(
            () -> {
              harness.jvm.interruptHooks();
              return failures.get() > 1;
            });
    assertTrue(harness.jvm.runs());
    assertTrue(slow.release());
    assertEquals(new Ending("exit", 7), harness.jvm.awaitEnding());
  }

  /** A log that throws whatever that thread says. */
  private static PrintStream failing(String thread, AtomicInteger failures) {
    return new PrintStream(OutputStream.nullOutputStream()) {
      @Override
      public void println(@Nullable String line) {
        if (Thread.currentThread().getName().equals(thread)) {
          failures.getAndIncrement();
          throw new IllegalStateException("the log fails");
        }
      }
    };
  }
}
