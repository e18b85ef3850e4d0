package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.UnprintableException;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class StepsTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private List<String> stepEvents() {
    return harness.events.stream().filter(event -> event.startsWith("step")).toList();
  }

  private static Step close(String name) {
    return Step.of(Phase.CLOSE_CONNECTIONS, name, context -> {});
  }

  private Step event(String name, int order) {
    return Step.of(Phase.CLOSE_CONNECTIONS, name, harness.event(name)).withOrder(order);
  }

  @Test
  void steps_ordersGiven_runLowerOrdersFirst() {
    harness.builder().step(event("step 3", 10));
    harness.builder().step(event("step 1", -1));
    harness.builder().step(event("step 2", 0));
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(List.of("step 1", "step 2", "step 3"), stepEvents());
    assertEquals(10, harness.step("step 3").order());
  }

  @Test
  void steps_sameOrder_runConcurrently() {
    CyclicBarrier all = new CyclicBarrier(3);
    for (int i = 0; i < 3; i++) {
      harness.builder().step(Phase.DRAIN, "step " + i, context -> all.await(60, TimeUnit.SECONDS));
    }
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void steps_hundredOfOneOrderOnAMovingClock_areAllRun() {
    // Sorting by what remains of a deadline, read from a moving clock, has no order.
    for (int round = 0; round < 20; round++) {
      Harness fresh = new Harness();
      fresh.builder().seams(fresh.jvm, new RunningTicker());
      fresh.builder().propagationDelay(Duration.ZERO);
      for (int i = 0; i < 100; i++) {
        fresh.builder().step(close("step " + i).withTimeout(Duration.ofSeconds(1 + i * 7 % 3)));
      }
      fresh.terminate();
      assertEquals(new Ending("exit", 0), fresh.jvm.awaitEnding());
      assertEquals(100, fresh.report().steps().size());
    }
  }

  @Test
  void step_ofKeepServing_runsBesideTheWait() {
    CountDownLatch left = new CountDownLatch(1);
    harness.builder().step(Phase.KEEP_SERVING, "leave registry", context -> left.countDown());
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    Harness.result(CompletableFuture.runAsync(() -> await(left)));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
  }

  @Test
  void step_context_knowsPhaseTriggerAndDeadline() {
    harness
        .builder()
        .step(
            close("pool").withTimeout(Duration.ofSeconds(2)).phase(),
            "step",
            context ->
                harness.events.add(
                    "step %s %s %s"
                        .formatted(
                            context.phase(), context.trigger(), context.deadline().remaining())));
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(List.of("step CLOSE_CONNECTIONS SIGTERM PT13S"), stepEvents());
  }

  @Test
  void step_throws_isRecordedAndTheOthersRun() {
    harness
        .builder()
        .step(
            Phase.CLOSE_CONNECTIONS,
            "broken",
            context -> {
              throw new IOException("the pool is gone");
            })
        .step(event("step beside", 0))
        .step(event("step behind", 1));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertTrue(stepEvents().containsAll(List.of("step beside", "step behind")));
    StepReport report = harness.step("broken");
    assertEquals(Result.FAILED, report.result());
    assertEquals("the pool is gone", report.failure().orElseThrow().getMessage());
    log.assertLogged("CLOSE_CONNECTIONS step 'broken' failed");
    log.assertLogged("; step broken failed: java.io.IOException: the pool is gone");
  }

  @Test
  void step_throwsWithAVeryLongMessage_isLoggedInPart() {
    harness
        .builder()
        .step(
            Phase.CLOSE_CONNECTIONS,
            "broken",
            context -> {
              throw new IllegalStateException(new IOException("x".repeat(1_000_000)));
            });
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    log.assertLogged("CLOSE_CONNECTIONS step 'broken' failed");
    log.assertLogged("at io.lastcall.StepsTest.lambda$step_throwsWithAVeryLongMessage");
    assertTrue(log.text().length() < 20_000, () -> log.text().length() + " characters");
  }

  @Test
  void step_throwsWhatCannotBeLogged_isReportedByItsClassAndTheOthersRun() {
    harness
        .builder()
        .step(
            Phase.CLOSE_CONNECTIONS,
            "broken",
            context -> {
              throw new UnprintableException();
            })
        .step(event("step behind", 1));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(List.of("step behind"), stepEvents());
    log.assertLogged("; step broken failed: " + UnprintableException.class.getName());
    assertTrue(
        harness.report().json().contains("\"failure\":\"" + UnprintableException.class.getName()));
  }

  @Test
  void step_throwsBehindItsDeadline_hasTimedOut() {
    CountDownLatch late = new CountDownLatch(1);
    harness
        .builder()
        .step(
            Step.of(
                    Phase.KEEP_SERVING,
                    "late",
                    context -> {
                      await(late);
                      throw new IOException("too late");
                    })
                .withTimeout(Duration.ofSeconds(1)));
    harness.terminate();
    Harness.awaitWaiting("lastcall-step-late");
    harness.ticker.advanceTo(Duration.ofSeconds(2));
    late.countDown();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.TIMED_OUT, harness.step("late").result());
    log.assertLogged("KEEP_SERVING step 'late' timed out after ");
  }

  /** An application, in a container that has installed; by EXIT it may have been stopped. */
  @Test
  void step_ofAnApplication_hasItsContextClassLoaderAndInExitThatOfWhoeverInstalled() {
    ClassLoader ofTheContainer = new ClassLoader(StepsTest.class.getClassLoader()) {};
    ClassLoader ofTheApplication = new ClassLoader(ofTheContainer) {};
    Map<Phase, ClassLoader> seen = new ConcurrentHashMap<>();
    Thread main = Thread.currentThread();
    ClassLoader before = main.getContextClassLoader();
    main.setContextClassLoader(ofTheContainer);
    try {
      harness.install();
      main.setContextClassLoader(ofTheApplication);
      for (Phase phase : List.of(Phase.DRAIN, Phase.EXIT)) {
        harness.shutdown().step(phase, "loader", context -> seen.put(phase, contextClassLoader()));
      }
    } finally {
      main.setContextClassLoader(before);
    }
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Map.of(Phase.DRAIN, ofTheApplication, Phase.EXIT, ofTheContainer), seen);
  }

  private static ClassLoader contextClassLoader() {
    return Thread.currentThread().getContextClassLoader();
  }

  @Test
  void step_throwsAnError_isRecordedAndTheOthersRun() {
    harness
        .builder()
        .step(
            Phase.DRAIN,
            "broken",
            context -> {
              throw new NoClassDefFoundError("com/example/Gone");
            })
        .step(event("step behind", 1));
    harness.terminate();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.FAILED, harness.step("broken").result());
    assertEquals(List.of("step behind"), stepEvents());
  }

  @Test
  void step_late_isInterruptedAtItsTimeoutAndTheNextRuns() {
    CompletableFuture<String> interrupted = new CompletableFuture<>();
    harness
        .builder()
        .step(
            Step.of(
                    Phase.CLOSE_CONNECTIONS,
                    "late",
                    context -> {
                      try {
                        await(new CountDownLatch(1));
                      } catch (AssertionError e) {
                        interrupted.complete("interrupted");
                      }
                    })
                .withTimeout(Duration.ofSeconds(1)))
        .step(event("step behind", 1));
    harness.terminate();
    harness.passKeepServing();
    harness.awaitSequenceUntil(16_000);
    Harness.awaitWaiting("lastcall-step-late");
    harness.ticker.advanceTo(Duration.ofSeconds(16));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals("interrupted", Harness.result(interrupted));
    StepReport report = harness.step("late");
    assertEquals(Result.TIMED_OUT, report.result());
    assertEquals(Duration.ofSeconds(1), report.took());
    assertEquals(Optional.empty(), report.failure());
    assertEquals(List.of("step behind"), stepEvents());
    log.assertLogged(
        "CLOSE_CONNECTIONS step 'late' timed out after 1000 ms and was interrupted; it was");
    log.assertLogged("io.lastcall.StepsTest.await(");
    log.assertLogged("; step late timed out");
  }

  @Test
  void steps_ofDifferentTimeouts_areEachInterruptedAtTheirOwn() {
    for (int seconds = 3; seconds > 0; seconds--) {
      harness
          .builder()
          .step(
              Step.of(Phase.CLOSE_CONNECTIONS, "s" + seconds, context -> Harness.hang())
                  .withTimeout(Duration.ofSeconds(seconds)));
    }
    harness.terminate();
    harness.passKeepServing();
    harness.pass(16_000);
    harness.pass(17_000);
    harness.pass(18_000);
    harness.jvm.awaitEnding();
    for (int seconds = 1; seconds <= 3; seconds++) {
      assertEquals(Duration.ofSeconds(seconds), harness.step("s" + seconds).took());
    }
  }

  @Test
  void closer_withoutTimeout_hasWhatDrainLeftAndIsInterruptedInTimeForTheExit() {
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "hangs", context -> Harness.hang())
        .step(Phase.EXIT, "flush", harness.event("step flush"));
    harness.terminate();
    harness.passKeepServing();
    harness.pass(28_000);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(13), harness.phase(Phase.CLOSE_CONNECTIONS).took());
    assertFalse(harness.phase(Phase.CLOSE_CONNECTIONS).complete());
    assertEquals(List.of("step flush"), stepEvents());
  }

  @Test
  void step_hangsInFrontOfOtherOrders_leavesEachItsShareOfThePhase() {
    harness
        .builder()
        .step(Phase.CLOSE_CONNECTIONS, "hangs", context -> Harness.hang())
        .step(Step.of(Phase.CLOSE_CONNECTIONS, "hangs too", context -> Harness.hang()).withOrder(1))
        .step(event("step behind", 2));
    harness.builder().closeTimeout(Duration.ofSeconds(3));
    harness.terminate();
    harness.passKeepServing();
    harness.pass(16_000);
    harness.pass(17_000);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.TIMED_OUT, harness.step("hangs").result());
    assertEquals(Result.TIMED_OUT, harness.step("hangs too").result());
    assertEquals(List.of("step behind"), stepEvents());
  }

  @Test
  void step_timeoutOfItsOwn_mayTakeMoreThanItsShare() {
    harness
        .builder()
        .step(
            Step.of(Phase.CLOSE_CONNECTIONS, "long", context -> Harness.hang())
                .withTimeout(Duration.ofSeconds(2)))
        .step(event("step behind", 1));
    harness.builder().closeTimeout(Duration.ofSeconds(3));
    harness.terminate();
    harness.passKeepServing();
    harness.pass(17_000);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Duration.ofSeconds(2), harness.step("long").took());
    assertEquals(List.of("step behind"), stepEvents());
  }

  @Test
  void drainStep_withoutRequests_holdsTheDrainUntilItsTimeout() {
    harness.builder().step(Phase.DRAIN, "consumers", context -> Harness.hang());
    harness.terminate();
    harness.passKeepServing();
    // Late steps are recorded by their own thread, which has 100 ms for it.
    harness.awaitSequenceUntil(27_700);
    harness.ticker.awaitParkedUntil("lastcall-steps-DRAIN", Duration.ofMillis(27_600));
    harness.ticker.advanceTo(Duration.ofMillis(27_600));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.TIMED_OUT, harness.step("consumers").result());
    assertEquals(Duration.ofMillis(12_600), harness.phase(Phase.DRAIN).took());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }
}
