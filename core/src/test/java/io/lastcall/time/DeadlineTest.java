package io.lastcall.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private final ManualTicker ticker = new ManualTicker();

  @Test
  void remaining_beforeAndAfter_countsDownToZero() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
    ticker.advance(Duration.ofSeconds(4));
    assertEquals(Duration.ofSeconds(6), deadline.remaining());
    assertEquals(Duration.ofSeconds(-6), deadline.elapsed());
    assertFalse(deadline.hasPassed());
    ticker.advance(Duration.ofSeconds(6));
    assertTrue(deadline.hasPassed());
    ticker.advance(Duration.ofSeconds(1));
    assertEquals(Duration.ZERO, deadline.remaining());
    assertEquals(Duration.ofSeconds(1), deadline.elapsed());
  }

  @Test
  void earlier_acrossTheOverflowOfTheClock_comparesByDifference() {
    // The ticker overflows 3 s after its beginning.
    Deadline before = Deadline.after(Duration.ofSeconds(2), ticker);
    Deadline behind = Deadline.after(Duration.ofSeconds(5), ticker);
    assertEquals(before, before.earlier(behind));
    assertEquals(before, behind.earlier(before));
    assertEquals(before, behind.atMost(Duration.ofSeconds(2)));
    assertEquals(before, behind.plus(Duration.ofSeconds(-3)));
  }

  @Test
  void await_unparkedWhenTrue_returnsWithoutTimePassing() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
    AtomicBoolean done = new AtomicBoolean();
    Background<Boolean> wait = Background.run(() -> deadline.await(this, done::get));
    ticker.awaitParked(wait.thread());
    done.set(true);
    LockSupport.unpark(wait.thread());
    assertTrue(wait.result());
  }

  @Test
  void await_deadlinePasses_saysFalse() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
    Background<Boolean> wait = Background.run(() -> deadline.await(this, () -> false));
    assertEquals(Duration.ofSeconds(10), ticker.awaitParked(wait.thread()));
    ticker.advance(Duration.ofSeconds(10));
    assertFalse(wait.result());
  }

  @Test
  void await_trueAtThePassedDeadline_saysTrue() {
    Deadline deadline = Deadline.after(Duration.ZERO, ticker);
    assertTrue(deadline.await(this, () -> true));
  }

  @Test
  void await_interrupted_goesOnAndRestoresTheInterrupt() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
    AtomicBoolean done = new AtomicBoolean();
    Background<Boolean> wait =
        Background.run(
            () -> {
              Thread.currentThread().interrupt();
              return deadline.await(this, done::get) && Thread.currentThread().isInterrupted();
            });
    ticker.awaitParked(wait.thread());
    assertFalse(wait.isDone());
    done.set(true);
    LockSupport.unpark(wait.thread());
    assertTrue(wait.result());
  }

  @Test
  void awaitPassed_interrupted_goesOnAndRestoresTheInterrupt() {
    Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
    Background<Boolean> wait =
        Background.run(
            () -> {
              Thread.currentThread().interrupt();
              deadline.awaitPassed(this);
              return Thread.currentThread().isInterrupted();
            });
    assertEquals(Duration.ofSeconds(10), ticker.awaitParked(wait.thread()));
    ticker.advance(Duration.ofSeconds(10));
    assertTrue(wait.result());
  }

  @Test
  void systemTicker_parkUntilThePast_returns() {
    Ticker.system().parkUntil(this, Ticker.system().read() - 1);
    Ticker.system().parkUntil(this, Ticker.system().read() + 1);
    assertTrue(Deadline.after(Duration.ZERO, Ticker.system()).hasPassed());
  }
}
