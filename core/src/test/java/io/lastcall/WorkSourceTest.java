package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.UnprintableException;
import io.lastcall.work.Job;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sources that are made of a stop and a question. */
@Timeout(120)
class WorkSourceTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger inProgress = new AtomicInteger(2);

  private void signal(WorkSource source) {
    harness.install().workSource("orders", source);
    Harness.join(harness.jvm.raise("TERM"));
  }

  /** KEEP_SERVING passes, though a stop that blocks has not returned. */
  private void awaitDrain() {
    harness.passKeepServing();
    harness.awaitSequenceUntil(19_875);
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
  }

  private List<String> timeOut() {
    harness.passKeepServing();
    harness.pass(19_875);
    harness.pass(24_750);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    return harness.report().problems();
  }

  @Test
  void blockingStop_drainWaitsForItAlone() {
    CountDownLatch asked = new CountDownLatch(1);
    signal(
        WorkSource.ofBlockingStop(
            () -> {
              asked.countDown();
              stopped.await();
            }));
    Awaitility.await().until(() -> asked.getCount() == 0);
    awaitDrain();
    stopped.countDown();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void blockingStop_outlivesDrain_isInterruptedAndNamed() {
    AtomicInteger interrupts = new AtomicInteger();
    signal(
        WorkSource.ofBlockingStop(
            () -> {
              try {
                stopped.await();
              } catch (InterruptedException e) {
                interrupts.incrementAndGet();
                throw e;
              }
            }));
    assertEquals(List.of("work source 'orders' did not finish: DRAIN has timed out"), timeOut());
    Awaitility.await().until(() -> interrupts.get() == 1);
  }

  @Test
  void blockingStop_throws_isNamedAndHoldsNothing() {
    signal(
        WorkSource.ofBlockingStop(
            () -> {
              throw new IllegalStateException("no broker");
            }));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("work source 'orders' did not finish: no broker"), harness.report().problems());
  }

  @Test
  void working_isAskedAfterTheStopUntilItIsFalse() {
    signal(
        WorkSource.of(
            stopped::countDown,
            () -> {
              assertEquals(0, stopped.getCount());
              return inProgress.get() > 0;
            }));
    awaitDrain();
    inProgress.set(0);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void counted_outlivesDrain_theReportHasTheNumber() {
    signal(WorkSource.ofCounted(stopped::countDown, inProgress::get));
    assertEquals(List.of("work source 'orders' did not finish: 2 in progress"), timeOut());
  }

  @Test
  void counted_stopThrows_whatWasTakenIsStillAwaited() {
    signal(
        WorkSource.ofCounted(
            () -> {
              throw new IllegalStateException("no broker");
            },
            inProgress::get));
    awaitDrain();
    inProgress.set(0);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertFalse(
        harness.report().steps().stream().noneMatch(step -> step.name().contains("orders")));
  }

  @Test
  void counted_cannotSay_isNamedAndHoldsNothing() {
    signal(
        WorkSource.ofCounted(
            stopped::countDown,
            () -> {
              throw new IllegalStateException("closed");
            }));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("work source 'orders' did not finish: closed"), harness.report().problems());
  }

  /** Without a word, or with one that cannot be had, the class says what happened. */
  @ParameterizedTest
  @MethodSource("wordless")
  void blockingStop_throwsWithoutAMessage_isNamedByItsClass(Throwable thrown) {
    signal(WorkSource.ofBlockingStop(() -> raise(thrown)));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("work source 'orders' did not finish: " + thrown.getClass().getName()),
        harness.report().problems());
  }

  private static void raise(Throwable thrown) throws Exception {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (Exception) thrown;
  }

  static List<Throwable> wordless() {
    return List.of(
        new IllegalStateException(), new UnprintableException(), new StackOverflowError());
  }

  /** An error is no less a failure: the job ends by it, and nothing was handed back. */
  @ParameterizedTest
  @MethodSource("wordless")
  void job_handBackFailsWithoutAMessage_isNamedByItsClass(Throwable thrown) {
    Job job = harness.install().beginJob("transcode 42");
    Harness.join(harness.jvm.raise("TERM"));
    assertThrows(thrown.getClass(), () -> job.handBack(() -> raise(thrown)));
    job.close();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("job 'transcode 42' was not handed back: " + thrown.getClass().getName()),
        harness.report().problems());
  }
}
