package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.test.TestShutdown;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Steps that wait, hang and fail, in manual time. */
@Timeout(120)
class StepsTest {
  private final CountDownLatch never = new CountDownLatch(1);

  private static TestShutdown install(Step... steps) {
    return TestShutdown.install(
        builder -> {
          builder.propagationDelay(Duration.ofSeconds(15));
          List.of(steps).forEach(builder::step);
        });
  }

  @Test
  void advanceTo_stepHangs_timesOutAtItsDeadline() {
    Step hanging =
        Step.of(Phase.KEEP_SERVING, "hangs", context -> never.await())
            .withTimeout(Duration.ofSeconds(3));
    Step next = Step.of(Phase.KEEP_SERVING, "next", context -> {}).withOrder(1);
    try (TestShutdown test = install(hanging, next)) {
      test.signal("TERM");
      test.advanceTo(Duration.ofMillis(2_999));
      assertEquals(List.of(), test.steps());
      test.advanceTo(Duration.ofSeconds(3));
      StepReport late = test.steps().get(0);
      assertEquals(Result.TIMED_OUT, late.result());
      assertEquals(Duration.ofSeconds(3), late.took());
      assertEquals(Duration.ofSeconds(3), test.steps().get(1).began());
      assertEquals(Outcome.INCOMPLETE, test.finish().outcome());
      assertEquals(80, test.exitCode().orElseThrow());
    }
  }

  @Test
  void advanceTo_hangingStepIsReleased_endsAtThatTime() {
    CountDownLatch confirmed = new CountDownLatch(1);
    Step step = Step.of(Phase.KEEP_SERVING, "deregister", context -> confirmed.await());
    try (TestShutdown test = install(step)) {
      test.signal("TERM");
      test.advanceTo(Duration.ofSeconds(4));
      assertEquals(List.of(), test.ran());
      confirmed.countDown();
      test.advanceTo(Duration.ofSeconds(10));
      assertEquals(Duration.ofSeconds(4), test.steps().get(0).took());
      assertEquals(Outcome.CLEAN, test.finish().outcome());
    }
  }

  @Test
  void finish_stepWaitsForAnotherThread_takesNoManualTime() {
    ExecutorService others = Executors.newSingleThreadExecutor();
    CountDownLatch pause = new CountDownLatch(1);
    Step step =
        Step.of(
            Phase.CLOSE_CONNECTIONS,
            "flush",
            context -> others.submit(() -> pause.await(200, TimeUnit.MILLISECONDS)).get());
    Step stop = Step.stopping(Phase.EXIT, "others", others);
    try (TestShutdown test = install(step, stop)) {
      test.signal("TERM");
      test.finish();
      assertEquals(List.of("flush", "others"), test.ran());
      assertEquals(Duration.ZERO, test.steps().get(0).took());
      assertTrue(others.isTerminated());
    }
  }

  @Test
  void finish_stepReadsWhatNeverComes_isInterruptedAtTheEndOfItsPhase() throws Exception {
    try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket socket = new Socket(listener.getInetAddress(), listener.getLocalPort());
        TestShutdown test =
            install(
                Step.of(
                    Phase.CLOSE_CONNECTIONS, "read", context -> socket.getInputStream().read()))) {
      test.patience(Duration.ofMillis(100));
      test.signal("TERM");
      ShutdownReport report = test.finish();
      assertEquals(Result.TIMED_OUT, report.steps().get(0).result());
      assertEquals(Duration.ofSeconds(28), test.elapsed());
    }
  }

  @Test
  void finish_executorHangs_isReported() {
    ExecutorService pool = Executors.newSingleThreadExecutor();
    pool.execute(
        () -> {
          while (true) {
            try {
              never.await();
              return;
            } catch (InterruptedException e) {
              Thread.onSpinWait();
            }
          }
        });
    try (TestShutdown test = install(Step.stopping(Phase.CLOSE_CONNECTIONS, "pool", pool))) {
      test.patience(Duration.ofMillis(100));
      test.signal("TERM");
      assertEquals(Result.TIMED_OUT, test.finish().steps().get(0).result());
    } finally {
      never.countDown();
    }
  }

  @Test
  void finish_stepFails_failureIsInTheReport() {
    IllegalStateException failure = new IllegalStateException("no lease");
    Step step =
        Step.of(
            Phase.KEEP_SERVING,
            "deregister",
            context -> {
              throw failure;
            });
    try (TestShutdown test = install(step)) {
      CompletionStage<ShutdownReport> completion = test.shutdown().begin("maintenance");
      ShutdownReport report = test.finish();
      assertEquals(Outcome.INCOMPLETE, report.outcome());
      assertEquals(Result.FAILED, report.steps().get(0).result());
      assertEquals(failure, report.steps().get(0).failure().orElseThrow());
      assertEquals(report, completion.toCompletableFuture().join());
    }
  }
}
