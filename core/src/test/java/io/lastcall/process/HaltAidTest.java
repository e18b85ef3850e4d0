package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HaltAidTest {
  private static final String THREAD = "lastcall-halt-aid";
  private static final Duration MOMENT = Duration.ofSeconds(3);

  private final ManualTicker ticker = new ManualTicker();
  private final CountDownLatch prepared = new CountDownLatch(1);
  private final CompletableFuture<Integer> helped = new CompletableFuture<>();
  private final HaltAid aid = new HaltAid(ticker, this::prepare);

  private HaltAid.Means prepare(HaltAid halt) {
    halt.awaitArmed(MOMENT.toNanos());
    prepared.countDown();
    return armed -> {
      helped.complete(armed.exitCode());
      armed.await(Duration.ofDays(1).toNanos());
    };
  }

  private void start() throws InterruptedException {
    aid.start();
    ticker.awaitParkedUntil(THREAD, MOMENT);
    assertEquals(1, prepared.getCount());
    ticker.advance(MOMENT);
    prepared.await();
  }

  private void arm() {
    aid.arm(ticker.read() + Duration.ofSeconds(30).toNanos(), 81);
  }

  private void awaitEnd() {
    Awaitility.await().until(() -> aid.threadState() == Thread.State.TERMINATED);
  }

  @Test
  void arm_started_helpsUntilItIsStopped() throws Exception {
    start();
    arm();

    assertEquals(81, helped.get());
    assertTrue(aid.isArmed());

    aid.stop();
    awaitEnd();
    assertFalse(aid.isArmed());
  }

  @Test
  void arm_stillToBePrepared_preparesAtOnceAndHelps() throws Exception {
    aid.start();
    ticker.awaitParkedUntil(THREAD, MOMENT);
    arm();

    assertEquals(81, helped.get());

    aid.stop();
    awaitEnd();
  }

  @Test
  void stop_stillToBePrepared_endsWithoutHelping() {
    aid.start();
    ticker.awaitParkedUntil(THREAD, MOMENT);
    aid.stop();
    awaitEnd();

    assertTrue(aid.isStopped());
    assertFalse(helped.isDone());
  }

  @Test
  void stop_neverArmed_endsWithoutHelping() throws InterruptedException {
    start();
    aid.stop();
    awaitEnd();

    assertFalse(helped.isDone());
  }

  @Test
  void stop_armedBeforeTheThreadLooks_endsWithoutHelping() {
    arm();
    aid.stop();
    aid.start();
    awaitEnd();

    assertFalse(helped.isDone());
  }
}
