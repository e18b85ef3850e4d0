package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.Outcome;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A heap that is full for a moment, at every point of the sequence in turn: wherever it reads the
 * clock. Whatever fails of that, the delay is kept and the request in flight is waited for.
 */
@Timeout(120)
class FullHeapTest {
  private static final Duration DELAY = Duration.ofSeconds(15);
  private static final Duration HOLD = Duration.ofSeconds(2);

  /** In no folder: whoever was not awaited, since that failed, leaves nothing behind. */
  private static final Path REPORT = Path.of("/nowhere/report.json");

  @Test
  void sequence_failsAnywhereOnce_keepsTheDelayAndAbandonsNobody() {
    int point = 0;
    while (failAt(point, 1)) {
      point++;
    }
    assertTrue(point > 20, "it was at " + point + " points only");
  }

  @Test
  void sequence_cannotBegin_beginsOnceItCan() {
    assertTrue(failAt(0, 5));
  }

  /**
   * The outcome may be clean or not, where a phase failed or its report; there is one to be read.
   *
   * @return whether the sequence came to the point
   */
  private static boolean failAt(int point, int times) {
    Harness harness = new Harness();
    StarvingTicker ticker = new StarvingTicker(point, times);
    harness.builder().seams(harness.jvm, ticker);
    harness.builder().readinessHold(HOLD).reportFile(REPORT);
    GracefulShutdown shutdown = harness.install();
    TestPermit request = harness.enter("GET /work");
    ticker.atTheEndOfTheDelay = request::release;
    Harness.join(harness.jvm.raise("TERM"));
    Ending ending = harness.jvm.awaitEnding();
    String where = "failing at point " + point;
    assertTrue(ticker.now.get() >= DELAY.plus(HOLD).toNanos(), where);
    assertEquals(0, shutdown.gate().inFlight(), where);
    ShutdownReport report = harness.report();
    assertEquals(report.exitCode(), ending.code(), where);
    assertEquals(1, report.requests().served(), where);
    assertEquals(0, report.requests().abandoned(), where);
    if (report.outcome() == Outcome.CLEAN) {
      assertEquals(Phase.values().length, report.phases().size(), where);
    }
    return ticker.hasFailed();
  }

  /** Moves on by itself when the sequence waits. Nobody else's time passes. */
  private static final class StarvingTicker implements Ticker {
    private final AtomicLong now = new AtomicLong();
    private final int first;
    private final int last;
    private int reads;

    private volatile Runnable atTheEndOfTheDelay = () -> {};

    StarvingTicker(int point, int times) {
      first = point;
      last = point + times;
    }

    private static boolean isSequence() {
      return Thread.currentThread().getName().equals("lastcall-sequence");
    }

    boolean hasFailed() {
      return reads > first;
    }

    @Override
    public long read() {
      if (isSequence()) {
        int read = reads++;
        if (first <= read && read < last) {
          throw new OutOfMemoryError("for a moment");
        }
      }
      return now.get();
    }

    @Override
    public void parkUntil(Object blocker, long time) {
      if (!isSequence()) {
        LockSupport.park(blocker);
        return;
      }
      now.accumulateAndGet(time, Math::max);
      if (time >= DELAY.toNanos()) {
        atTheEndOfTheDelay.run();
      }
    }
  }
}
