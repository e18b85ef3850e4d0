package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Halter;
import io.lastcall.process.LogContext;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.time.Ticker;
import io.lastcall.work.Job;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class SignalHandlersTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  @Test
  void begin_severalCallers_getFuturesOfTheirOwnAndTheFirstReasonCounts() {
    GracefulShutdown shutdown = harness.install();
    CompletableFuture<ShutdownReport> first = shutdown.begin("first");
    CompletableFuture<ShutdownReport> second = shutdown.begin("second");
    CompletableFuture<ShutdownReport> third = shutdown.completion();
    assertTrue(second.cancel(false));
    assertTrue(third.completeExceptionally(new IllegalStateException("of one caller")));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    ShutdownReport report = Harness.result(first);
    assertEquals("first", report.trigger().reason());
    assertEquals(Kind.REQUEST, report.trigger().kind());
    assertSame(report, harness.report());
  }

  /** {@code main} may end behind it, and the last thread that is no daemon with it. */
  @Test
  void begin_returned_someThreadKeepsTheJvmAlive() {
    var unused = harness.install().begin("done");
    assertTrue(
        Threads.alive().stream()
            .anyMatch(thread -> thread.getName().equals("lastcall-keeper") && !thread.isDaemon()));
  }

  @Test
  void begin_futureCompletedByACaller_changesNothing() {
    GracefulShutdown shutdown = harness.install();
    assertTrue(shutdown.begin("test").cancel(true));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_second_isLoggedAndChangesNothing() {
    harness.terminate();
    harness.awaitSequenceUntil(11_250);
    Harness.join(harness.jvm.raise("TERM"));
    Harness.join(harness.jvm.raise("TERM"));
    assertTrue(harness.jvm.runs());
    log.assertLogged("SIGTERM: the shutdown has begun already and goes on as it is");
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(harness.jvm.runs());
  }

  @Test
  void sigterm_handlerFails_processExitsAllTheSame() {
    AtomicBoolean fails = new AtomicBoolean();
    harness.builder().seams(harness.jvm, failing(harness.ticker, fails));
    harness.install();
    fails.set(true);
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    log.assertLogged("The handler of a signal failed");
  }

  /** Fails once, on a thread of a signal. */
  private static Ticker failing(Ticker ticker, AtomicBoolean fails) {
    return new Ticker() {
      @Override
      public long read() {
        if (Thread.currentThread().getName().startsWith("SIG") && fails.getAndSet(false)) {
          throw new OutOfMemoryError("Metaspace");
        }
        return ticker.read();
      }

      @Override
      public void parkUntil(Object blocker, long time) {
        ticker.parkUntil(blocker, time);
      }
    };
  }

  @Test
  void sigterm_afterBegin_isANoOp() {
    CompletableFuture<ShutdownReport> report = harness.install().begin("/prestop");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals("/prestop", Harness.result(report).trigger().reason());
  }

  @Test
  void sigint_second_haltsWith130() {
    harness.install();
    TestPermit endless = harness.enter("GET /endless");
    Harness.join(harness.jvm.raise("INT"));
    harness.awaitSequenceUntil(22_725);
    harness.jvm.raise("INT");
    assertEquals(new Ending("halt", 130), harness.jvm.awaitEnding());
    assertTrue(endless.release());
  }

  @Test
  void sigint_firstAfterSigterm_changesNothing() {
    harness.terminate();
    Harness.join(harness.jvm.raise("INT"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_beforeStarted_exitsAtOnceWith143() {
    harness.builder().awaitStarted();
    harness.install();
    assertEquals(503, harness.probe("/startupz"));
    assertEquals(503, harness.probe("/readyz"));
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    assertEquals(0, harness.events.size());
    assertFalse(log.text().contains("JVM exit"), log::text);
  }

  /** The shape of a Job of Spring Boot: a runner, before the application is ready. */
  @Test
  void sigterm_jobIsOpenBeforeStarted_isToldAtOnceAndAwaited() throws Exception {
    harness.builder().awaitStarted();
    Job job = harness.install().beginJob("night");
    assertFalse(job.stopRequested());
    Harness.join(harness.jvm.raise("TERM"));
    Awaitility.await().until(job::stopRequested);
    harness.awaitSequence();
    job.handBack(() -> harness.events.add("saved"));
    job.close();
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    assertEquals(List.of("night"), harness.report().handedBack());
    assertEquals(Outcome.HANDED_BACK, harness.report().outcome());
  }

  @Test
  void sigterm_jobIsOpenBeforeStartedAndNeverEnds_isAwaitedToTheDeadlineAndNamed() {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    CountDownLatch interrupted = new CountDownLatch(1);
    Thread runner =
        new Thread(
            () -> {
              Job job = shutdown.beginJob("night");
              try {
                Harness.hang();
              } catch (AssertionError e) {
                interrupted.countDown();
              } finally {
                job.close();
              }
            });
    runner.start();
    Awaitility.await().until(() -> shutdown.work("jobs").inProgress() == 1);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    harness.ticker.advanceTo(Duration.ofMillis(24_750));
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals("jobs: night", harness.report().unfinished().get(0).description());
    Harness.await(interrupted);
  }

  @Test
  void sigterm_sourceIsRegisteredBeforeStarted_isStoppedAndAwaited() {
    CompletableFuture<Void> finished = new CompletableFuture<>();
    harness.builder().awaitStarted();
    harness
        .install()
        .workSource(
            "orders",
            new WorkSource() {
              @Override
              public void stopTaking() {
                harness.events.add("stop taking");
              }

              @Override
              public CompletionStage<?> finished() {
                return finished;
              }
            });
    Harness.join(harness.jvm.raise("TERM"));
    Awaitility.await().until(() -> harness.events.contains("stop taking"));
    harness.awaitSequence();
    assertTrue(harness.jvm.runs());
    finished.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Duration.ZERO, harness.report().took());
  }

  /** A server is there, but no router sends to a process that was never ready. */
  @Test
  void sigterm_taskRunsBeforeStarted_isAwaitedWithoutServingOn() {
    CountDownLatch warm = new CountDownLatch(1);
    Harness fresh = Harness.withGracePeriod("30s");
    fresh.builder().awaitStarted();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    fresh.install().countedExecutor("warm-up", pool).execute(() -> Harness.await(warm));
    FakeServer server = new FakeServer("web", fresh);
    server.connectionsEnded.complete(null);
    fresh.shutdown().server(server);
    Harness.join(fresh.jvm.raise("TERM"));
    fresh.awaitSequence();
    assertEquals(Phase.DRAIN, fresh.shutdown().phase().orElseThrow());
    log.assertLogged("Not serving on: start-up is not over.");
    warm.countDown();
    assertEquals(new Ending("exit", 143), fresh.jvm.awaitEnding());
    assertEquals(Duration.ZERO, fresh.report().took());
    pool.shutdown();
  }

  @Test
  void jvmExit_jobIsOpenBeforeStarted_isAwaited() {
    harness.builder().awaitStarted();
    Job job = harness.install().beginJob("night");
    harness.jvm.exitBySomebodyElse(3);
    Awaitility.await().until(job::stopRequested);
    harness.awaitSequence();
    job.close();
    assertEquals(new Ending("exit", 3), harness.jvm.awaitEnding());
  }

  @Test
  void job_beginsAfterAnExitWithoutAShutdown_isToldToStop() {
    AtomicBoolean told = new AtomicBoolean();
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    harness.jvm.beforeHooks(
        () -> {
          try (Job late = shutdown.beginJob("late")) {
            told.set(late.stopRequested());
          }
        });
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    assertTrue(told.get());
  }

  @Test
  void sigterm_requestsCameBeforeStartedAndAreAnswered_exitsAtOnceAndSaysSo() {
    harness.builder().awaitStarted();
    harness.install();
    harness.enter("GET /").release();
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    log.assertLogged("1 requests came before started() was called; routers are waited for only");
  }

  /** Clients without a readiness probe send as soon as the server listens. */
  @Test
  void sigterm_requestIsInFlightBeforeStarted_isAwaitedWithoutServingOn() {
    harness.builder().awaitStarted();
    harness.install();
    TestPermit request = harness.enter("GET /");
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
    assertTrue(harness.jvm.runs());
    request.release();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
    assertEquals(Duration.ZERO, harness.report().took());
  }

  @Test
  void jvmExit_requestIsInFlightBeforeStarted_isAwaited() {
    harness.builder().awaitStarted();
    harness.install();
    TestPermit request = harness.enter("GET /");
    harness.jvm.exitBySomebodyElse(3);
    harness.awaitSequence();
    request.release();
    assertEquals(new Ending("exit", 3), harness.jvm.awaitEnding());
    assertEquals(Outcome.CLEAN, harness.report().outcome());
  }

  /** The hook, Spring Boot's say, may be about to serve them to their end. */
  @Test
  void sigterm_beforeStartedButRequestsCame_otherHooksHaveAllTheTime() {
    harness.jvm.addHook(new Thread(Harness::hang));
    harness.builder().awaitStarted();
    harness.install();
    harness.enter("GET /").release();
    harness.jvm.raise("TERM");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.advance(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  /** Start-up, a migration say, goes on for as long as the grace period allows. */
  @Test
  void sigterm_beforeStartedAndStartUpHangs_isHaltedAtTheDeadlineAndSaysWhatHangs() {
    Thread hook = new Thread(Harness::hang, "waits for start-up");
    hook.setDaemon(false);
    harness.jvm.addHook(hook);
    harness.builder().awaitStarted();
    harness.install();
    harness.jvm.raise("TERM");
    Duration look = Duration.ofMillis(28_600);
    harness.ticker.awaitParkedUntil("lastcall-watch", look);
    log.awaitLogged("SIGTERM before start-up was over: nothing to drain. Exit 143 once JVM hooks");
    Harness.awaitWaiting("waits for start-up");
    harness.ticker.advanceTo(look);
    log.awaitLogged("thread waits for start-up:");
    log.assertLogged("Halt in 400 ms unless the process ends: start-up or a JVM hook hangs;");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  /** A dependent may end the log, as a {@code main} does that exits with the report's code. */
  @Test
  void completion_isAfterTheReportIsLogged() {
    CompletableFuture<Boolean> logged =
        harness.install().completion().thenApply(report -> log.text().contains("Shutdown clean"));
    harness.jvm.raise("TERM");
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(logged.join(), log::text);
  }

  @Test
  void sigterm_beforeStarted_completesTheReportExceptionally() {
    harness.builder().awaitStarted();
    CompletableFuture<ShutdownReport> completion = harness.install().completion();
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    assertTrue(completion.isCompletedExceptionally());
  }

  @Test
  void sigterm_beforeStartedAndStartUpEndsInTheExit_isHeldByNoRequest() {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    harness.jvm.beforeHooks(
        () -> {
          harness.enter("GET /endless");
          shutdown.started();
        });
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
  }

  @Test
  void quit_begunInTheSameMoment_leavesTheExitToTheSequence() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(harness.environment, new Properties()));
    Halter halter = new Halter(harness.jvm, harness.ticker, 81);
    ShutdownState state = new ShutdownState(plan, harness.ticker, halter);
    assertTrue(state.begin(Trigger.PRE_STOP, LogContext.NONE));
    assertEquals(Optional.empty(), state.quit());
  }

  @Test
  void sigterm_afterStarted_drains() {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    shutdown.started();
    assertEquals(200, harness.probe("/startupz"));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_beforeStartedButBegunByTheProgram_isANoOp() {
    harness.builder().awaitStarted();
    CompletableFuture<ShutdownReport> report = harness.install().begin("start-up failed");
    harness.awaitSequenceUntil(11_250);
    Harness.join(harness.jvm.raise("TERM"));
    assertTrue(harness.jvm.runs());
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals("start-up failed", Harness.result(report).trigger().reason());
  }
}
