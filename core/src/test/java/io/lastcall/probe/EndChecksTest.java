package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.CapturedLog;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an uninstalled library leaves of its checks: no thread that could end, no open probe. */
@Timeout(60)
class EndChecksTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();

  private final Probes probes = new Probes(() -> true, () -> true);
  private final CountDownLatch release = new CountDownLatch(1);
  private final CompletableFuture<Thread> first = new CompletableFuture<>();

  @AfterEach
  void releaseHungChecks() {
    release.countDown();
  }

  private void readiness(String name, Duration timeout, CheckAction action) {
    probes.check(ProbeKind.READINESS, Check.of(name, action).withTimeout(timeout));
  }

  private CompletableFuture<ProbeAnswer> ask() {
    return probes.answer(ProbeRequest.of("GET", "/readyz", name -> null)).toCompletableFuture();
  }

  private static ProbeAnswer answer(CompletableFuture<ProbeAnswer> asked) {
    Awaitility.await().until(asked::isDone);
    return asked.join();
  }

  private CheckResult hang() throws InterruptedException {
    first.complete(Thread.currentThread());
    release.await();
    return CheckResult.up();
  }

  private CheckResult hangWhateverInterruptsIt() {
    while (release.getCount() > 0) {
      try {
        hang();
      } catch (InterruptedException e) {
        first.complete(Thread.currentThread()); // deaf
      }
    }
    return CheckResult.up();
  }

  @Test
  void endChecks_oneHangs_isInterruptedAndItsThreadEnds() {
    readiness("db", Duration.ofHours(1), this::hang);
    CompletableFuture<ProbeAnswer> asked = ask();
    Thread checking = first.join();
    probes.endChecks();
    Awaitility.await().until(() -> !checking.isAlive());
    assertTrue(answer(asked).body().contains("[-]db failed: InterruptedException"));
  }

  @Test
  void endChecks_moreHangThanThereAreThreads_everyProbeIsAnswered() {
    for (int i = 0; i < 2 * CheckPool.MAX_CONCURRENT; i++) {
      readiness("hung" + i, Duration.ofMillis(50), this::hangWhateverInterruptsIt);
    }
    CompletableFuture<ProbeAnswer> asked = ask();
    probes.endChecks();
    assertEquals(503, answer(asked).status());
    assertEquals(503, answer(ask()).status());
  }
}
