package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.CapturedLog;
import io.lastcall.process.UnprintableException;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.function.Executable;

@Timeout(60)
class ChecksTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration GENEROUS = Duration.ofMinutes(1);

  @RegisterExtension final CapturedLog log = new CapturedLog();

  private final ManualTicker ticker = new ManualTicker();
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch release = new CountDownLatch(1);
  private final Probes probes = new Probes(new Subject(), ProbeToken.none(), ticker);

  @AfterEach
  void releaseHungChecks() {
    release.countDown();
  }

  private void readiness(String name, CheckAction action) {
    probes.check(ProbeKind.READINESS, Check.of(name, action).withTimeout(GENEROUS));
  }

  /** Hangs whatever interrupts it, until the test ends. */
  private CheckResult hang() {
    runs.incrementAndGet();
    while (release.getCount() > 0) {
      try {
        release.await();
      } catch (InterruptedException e) {
        runs.get(); // deaf
      }
    }
    return CheckResult.up();
  }

  private CheckResult count() {
    runs.incrementAndGet();
    return CheckResult.up();
  }

  private ProbeAnswer readyz() {
    return AskProbes.get(probes, "/readyz");
  }

  private CompletableFuture<ProbeAnswer> start() {
    return probes.answer(ProbeRequest.of("GET", "/readyz", name -> null)).toCompletableFuture();
  }

  @Test
  void answer_checkFails_isUnavailableAndNamesIt() {
    readiness("db", () -> CheckResult.down("no\nconnection"));
    assertEquals(503, readyz().status());
    assertEquals(
        "[+]traffic ok\n[-]db failed: no connection\nreadyz check failed\n", readyz().body());
  }

  @Test
  void answer_checkThrows_showsTheClassAndLogsTheMessage() {
    readiness(
        "db",
        () -> {
          throw new IllegalStateException("password=secret");
        });
    assertEquals(
        "[+]traffic ok\n[-]db failed: IllegalStateException\nreadyz check failed\n",
        readyz().body());
    awaitLogged("password=secret");
  }

  @Test
  void answer_checkThrowsAnError_isUnavailable() {
    readiness(
        "db",
        () -> {
          throw new OutOfMemoryError("of its own");
        });
    assertTrue(readyz().body().contains("[-]db failed: OutOfMemoryError"));
  }

  @Test
  void answer_checkThrowsWhatCannotBeLogged_isUnavailableAndRunsAgain() {
    readiness(
        "db",
        () -> {
          if (runs.incrementAndGet() == 1) {
            throw new UnprintableException();
          }
          return CheckResult.up();
        });
    assertEquals(503, readyz().status());
    ticker.advance(Duration.ofSeconds(1));
    assertEquals(200, readyz().status());
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless check does
  void answer_checkReturnsNull_isUnavailable() {
    readiness("db", () -> null);
    assertTrue(readyz().body().contains("[-]db failed: it returned null"));
  }

  @Test
  void answer_withinTheCachedTime_runsTheCheckOnce() {
    readiness("db", this::count);
    readyz();
    ticker.advance(Duration.ofMillis(999));
    assertTrue(start().isDone());
    assertEquals(1, runs.get());
    ticker.advance(Duration.ofMillis(1));
    readyz();
    assertEquals(2, runs.get());
  }

  @Test
  void answer_whileTheCheckRuns_joinsThatRunAndDoesNotBlock() {
    CountDownLatch inside = new CountDownLatch(1);
    readiness(
        "db",
        () -> {
          runs.incrementAndGet();
          inside.await();
          return CheckResult.up();
        });
    CompletableFuture<ProbeAnswer> first = start();
    CompletableFuture<ProbeAnswer> second = start();
    assertFalse(first.isDone() || second.isDone());
    inside.countDown();
    assertEquals(200, first.join().status());
    assertEquals(200, second.join().status());
    assertEquals(1, runs.get());
  }

  @Test
  void answer_checkHangs_saysTimedOutAndStartsNoSecondRun() {
    probes.check(ProbeKind.READINESS, Check.of("db", this::hang).withTimeout(SHORT));
    assertEquals(
        "[+]traffic ok\n[-]db failed: timed out after 50 ms\nreadyz check failed\n",
        bodyOfTheFirstRun());
    ticker.advance(Duration.ofHours(1));
    CompletableFuture<ProbeAnswer> next = start();
    assertTrue(next.isDone());
    assertEquals(503, next.join().status());
    assertEquals(1, runs.get());
  }

  @Test
  void answer_hungCheckIsInterruptible_isInterruptedAndRunsAgain() {
    CountDownLatch interrupted = new CountDownLatch(1);
    CheckAction once =
        () -> {
          if (runs.incrementAndGet() == 1) {
            try {
              release.await();
            } catch (InterruptedException e) {
              interrupted.countDown();
              throw e;
            }
          }
          return CheckResult.up();
        };
    probes.check(ProbeKind.READINESS, Check.of("db", once).withTimeout(SHORT));
    String body = bodyOfTheFirstRun();
    assertTrue(body.contains("[-]db failed: timed out after 50 ms"), body);
    awaitUninterruptibly(interrupted);
    Awaitility.await().until(() -> readyz().status() == 200);
    assertTrue(runs.get() >= 2, runs + " runs");
  }

  /** A check whose thread is as late as that is not run at all. */
  private String bodyOfTheFirstRun() {
    String body;
    do {
      body = readyz().body();
    } while (runs.get() == 0);
    return body;
  }

  @Test
  void answer_moreChecksHangThanThereAreThreads_allTimeOutAndThreadsAreBounded() {
    for (int i = 0; i < 3 * CheckPool.MAX_CONCURRENT; i++) {
      probes.check(ProbeKind.READINESS, Check.of("hung" + i, this::hang).withTimeout(SHORT));
    }
    probes.check(ProbeKind.READINESS, Check.of("healthy", CheckResult::up).withTimeout(SHORT));
    String body = readyz().body();
    assertTrue(body.contains("[-]hung23 failed: timed out"), body);
    assertTrue(runs.get() <= CheckPool.MAX_CONCURRENT, runs + " runs");
    for (int i = 0; i < 20; i++) {
      assertEquals(503, readyz().status());
    }
    assertTrue(runs.get() <= CheckPool.MAX_CONCURRENT, runs + " runs");
  }

  @Test
  void answer_checkGotNoThreadInTime_runsOnceThereIsOne() {
    for (int i = 0; i < CheckPool.MAX_CONCURRENT; i++) {
      probes.check(ProbeKind.LIVENESS, Check.of("hung" + i, this::hang).withTimeout(GENEROUS));
    }
    var unused = probes.answer(ProbeRequest.of("GET", "/livez", name -> null));
    Awaitility.await().until(() -> runs.get() == CheckPool.MAX_CONCURRENT);
    probes.check(ProbeKind.READINESS, Check.of("db", CheckResult::up).withTimeout(SHORT));
    assertTrue(readyz().body().contains("[-]db failed: timed out after 50 ms"));
    release.countDown();
    Awaitility.await()
        .until(
            () -> {
              ticker.advance(Duration.ofSeconds(1));
              return readyz().status() == 200;
            });
  }

  @Test
  void answer_checkLeavesItsThreadInterrupted_nobodyBehindItIs() {
    CountDownLatch asked = new CountDownLatch(1);
    readiness(
        "db",
        () -> {
          asked.await();
          Thread.currentThread().interrupt();
          return CheckResult.up();
        });
    CompletableFuture<Boolean> interrupted =
        start().thenApply(answer -> Thread.currentThread().isInterrupted());
    asked.countDown();
    assertFalse(interrupted.join());
  }

  @Test
  void answer_shutdownHasFailedReadiness_runsNoCheck() {
    readiness("db", this::count);
    ending.set(true);
    assertTrue(start().isDone());
    assertEquals(503, readyz().status());
    assertEquals(0, runs.get());
  }

  @Test
  void livez_checkFails_failsBeforeAShutdownAndNotInOne() {
    probes.check(ProbeKind.LIVENESS, Check.of("deadlock", () -> CheckResult.down("found")));
    assertEquals(503, AskProbes.get(probes, "/livez").status());
    ending.set(true);
    assertEquals(200, AskProbes.get(probes, "/livez").status());
  }

  @Test
  void check_runs_onAThreadOfTheLibrary() {
    List<String> threads = new CopyOnWriteArrayList<>();
    readiness(
        "db",
        () -> {
          threads.add(Thread.currentThread().getName());
          return CheckResult.up();
        });
    readyz();
    assertEquals(List.of("lastcall-check"), threads);
  }

  @Test
  void check_failsAndPassesAgain_logsBothOnce() {
    AtomicBoolean up = new AtomicBoolean();
    CheckAction action = () -> up.get() ? CheckResult.up() : CheckResult.down("gone");
    probes.check(ProbeKind.READINESS, Check.of("db", action).withCachedFor(Duration.ZERO));
    readyz();
    readyz();
    up.set(true);
    readyz();
    assertTrue(log.text().contains("Check 'db' passes again"), log.text());
    assertEquals(2, log.text().split("Check 'db' failed: gone", -1).length);
  }

  @Test
  void check_sameNameTwice_isRefused() {
    readiness("db", CheckResult::up);
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> readiness("db", CheckResult::up));
    assertEquals("/readyz has a check 'db' already; allowed: another name", e.getMessage());
  }

  @Test
  void check_badNameOrTimes_isRefused() {
    Check good = Check.of("db", CheckResult::up);
    String name = "A check's name '%s' is not printable text of 1 to 100 characters";
    assertRefused(name.formatted(" "), () -> Check.of(" ", CheckResult::up));
    assertRefused(name.formatted("a\nb"), () -> Check.of("a\nb", CheckResult::up));
    assertRefused(
        "Check 'db': timeout PT0S must be more than zero and at most a week",
        () -> good.withTimeout(Duration.ZERO));
    assertRefused(
        "Check 'db': timeout PT192H must be more than zero and at most a week",
        () -> good.withTimeout(Duration.ofDays(8)));
    assertRefused(
        "Check 'db': cachedFor PT-1S must not be negative, and at most a week",
        () -> good.withCachedFor(Duration.ofSeconds(-1)));
    assertRefused(
        "Check 'db': cachedFor PT192H must not be negative, and at most a week",
        () -> good.withCachedFor(Duration.ofDays(8)));
  }

  private static void assertRefused(String message, Executable call) {
    Exception e = assertThrows(IllegalArgumentException.class, call);
    assertEquals(message, e.getMessage());
  }

  /** The probe is answered first, the log may be slow. */
  private void awaitLogged(String text) {
    Awaitility.await().until(() -> log.text().contains(text));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
  }

  private final class Subject implements ProbeSubject {
    @Override
    public boolean isStarted() {
      return true;
    }

    @Override
    public Optional<String> unready() {
      return ending.get() ? Optional.of("shutting down") : Optional.empty();
    }

    @Override
    public boolean isEnding() {
      return ending.get();
    }

    @Override
    public CompletableFuture<?> preStop() {
      return new CompletableFuture<>();
    }

    @Override
    public void lameDuck(boolean on) {}
  }
}
