package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RunningStepTest {
  @Test
  void await_stepThrewAfterItsDeadline_isLateAndKeepsWhatItThrew() throws InterruptedException {
    ManualTicker ticker = new ManualTicker();
    Deadline start = Deadline.after(Duration.ZERO, ticker);
    Step step =
        Step.of(
            Phase.DRAIN,
            "late",
            context -> {
              ticker.advance(Duration.ofSeconds(2));
              throw new IOException("too late");
            });
    RunningStep running =
        new RunningStep(
            step,
            new Trigger(Trigger.Kind.REQUEST, "test"),
            start,
            start.plus(Duration.ofSeconds(1)),
            report -> {});
    running.start();
    running.thread().join();
    StepReport report = running.await();
    assertEquals(Result.TIMED_OUT, report.result());
    assertEquals("too late", report.failure().orElseThrow().getMessage());
  }

  /** The waiting thread finds it running, then its deadline passed, and then it has ended. */
  @Test
  void await_stepEndsInTheMomentOfItsDeadline_isNotSaidToHaveBeenInterrupted() {
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicReference<@Nullable Thread> ending = new AtomicReference<>();
    Ticker ticker =
        new Ticker() {
          @Override
          public long read() {
            Thread step = ending.get();
            if (step == null || step == Thread.currentThread()) {
              return 0;
            }
            mayEnd.countDown();
            join(step);
            return TimeUnit.SECONDS.toNanos(1);
          }

          @Override
          public void parkUntil(Object blocker, long nanos) {
            throw new AssertionError("The deadline has passed");
          }
        };
    Deadline start = new Deadline(ticker, 0);
    RunningStep step =
        new RunningStep(
            Step.of(Phase.DRAIN, "ends", context -> mayEnd.await()),
            new Trigger(Trigger.Kind.REQUEST, "test"),
            start,
            start.plus(Duration.ofSeconds(1)),
            report -> {});
    step.start();
    ending.set(step.thread());
    assertEquals(Result.COMPLETED, step.await().result());
    assertEquals("", step.stuckAt);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }
}
