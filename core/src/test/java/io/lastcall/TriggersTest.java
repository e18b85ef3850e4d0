package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class TriggersTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  @Test
  void begin_severalCallers_getTheSameFutureAndTheFirstReasonCounts() {
    GracefulShutdown shutdown = harness.install();
    CompletableFuture<ShutdownReport> first = shutdown.begin("first");
    CompletableFuture<ShutdownReport> second = shutdown.begin("second");
    assertSame(first, second);
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
    log.assertLogged("SIGTERM: the shutdown has begun already, and goes on as it is");
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

  @Test
  void sigterm_requestsCameBeforeStarted_isDoubted() {
    harness.builder().awaitStarted();
    harness.install();
    harness.enter("GET /");
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    log.assertLogged("1 requests came, and started() had not been called: before it nothing is");
  }

  /** The hook, Spring Boot's say, waits for the start-up's end: a migration of its database. */
  @Test
  void sigterm_beforeStartedAndAHookWaitsForTheStartUp_exitsWith143OnceThatHasEnded() {
    CountDownLatch migrated = new CountDownLatch(1);
    harness.jvm.addHook(new Thread(() -> Harness.await(migrated)));
    harness.builder().awaitStarted();
    harness.install();
    harness.jvm.raise("TERM");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    harness.ticker.awaitParkedUntil("lastcall-reporter", Duration.ofSeconds(28));
    harness.ticker.advance(Duration.ofSeconds(27));
    assertTrue(harness.jvm.runs());
    migrated.countDown();
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
    assertFalse(log.text().contains("start-up is late"), log::text);
  }

  @Test
  void sigterm_beforeStartedAndAHookHangs_isHaltedAtTheDeadlineAndSaysWhatHangs() {
    harness.jvm.addHook(new Thread(Harness::hang, "migration"));
    harness.builder().awaitStarted();
    harness.install();
    harness.jvm.raise("TERM");
    harness.ticker.awaitParkedUntil("lastcall-reporter", Duration.ofSeconds(28));
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(29));
    log.awaitLogged("SIGTERM before the application has started: its hooks are waited for until ");
    log.awaitLogged(" (29 s); exit 143");
    harness.ticker.advance(Duration.ofSeconds(28));
    log.awaitLogged(
        "start-up is late, the process is halted in 1000 ms unless it ends; still running:");
    log.awaitLogged("\n  thread migration:\n      at ");
    assertTrue(harness.jvm.runs());
    harness.ticker.advance(Duration.ofSeconds(1));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  @Test
  void sigterm_beforeStartedAndAHookHangs_isHaltedAtAnEarlyDeadline() {
    harness.jvm.addHook(new Thread(Harness::hang));
    harness.builder().awaitStarted().gracePeriod(Duration.ofSeconds(4));
    harness.install();
    harness.jvm.raise("TERM");
    harness.ticker.awaitParkedUntil("lastcall-halter", Duration.ofSeconds(3));
  }

  @Test
  void sigterm_beforeStartedAndStartUpEndsInTheExit_isHeldByNoRequest() {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    harness.enter("GET /endless");
    harness.jvm.beforeHooks(shutdown::started);
    harness.jvm.raise("TERM");
    assertEquals(new Ending("exit", 143), harness.jvm.awaitEnding());
  }

  @Test
  void quit_begunInTheSameMoment_leavesTheExitToTheSequence() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(harness.environment, new Properties()));
    Lifecycle lifecycle = new Lifecycle(plan, harness.jvm, harness.ticker);
    assertTrue(lifecycle.begin(new Trigger(Kind.REQUEST, "/prestop")));
    lifecycle.quit("SIGTERM", 143, 0);
    assertFalse(harness.jvm.isExiting());
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
