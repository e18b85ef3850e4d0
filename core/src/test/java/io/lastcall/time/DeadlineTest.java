package io.lastcall.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
    assertEquals(before.nanos(), behind.atMost(Duration.ofSeconds(2)).nanos());
    assertEquals(before.nanos(), behind.plus(Duration.ofSeconds(-3)).nanos());
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

  @Test
  void movable_moves_everyDeadlineMadeFromItMovesToo() {
    AtomicLong at = new AtomicLong(Deadline.after(Duration.ofSeconds(30), ticker).nanos());
    Deadline movable = Deadline.movable(ticker, at::get);
    Deadline sooner = movable.plus(Duration.ofSeconds(-1));
    Deadline earliest = Deadline.after(Duration.ofSeconds(20), ticker).earlier(movable);
    Deadline latest = movable.later(Deadline.after(Duration.ofSeconds(3), ticker));
    Deadline bounded = movable.atMost(Duration.ofSeconds(10));
    assertEquals(Duration.ofSeconds(29), sooner.remaining());
    assertEquals(Duration.ofSeconds(20), earliest.remaining());
    at.addAndGet(-Duration.ofSeconds(28).toNanos());
    assertEquals(Duration.ofSeconds(1), sooner.remaining());
    assertEquals(Duration.ofSeconds(2), earliest.remaining());
    assertEquals(Duration.ofSeconds(3), latest.remaining());
    assertEquals(Duration.ofSeconds(2), bounded.remaining());
  }

  @Test
  void await_movableMovesToThePast_returnsOnceUnparked() throws Exception {
    AtomicLong at = new AtomicLong(Deadline.after(Duration.ofSeconds(30), ticker).nanos());
    Deadline movable = Deadline.movable(ticker, at::get);
    Thread waiter = new Thread(() -> movable.awaitPassed(this));
    waiter.setDaemon(true);
    waiter.start();
    assertEquals(Duration.ofSeconds(30), ticker.awaitParked(waiter));
    at.set(ticker.read());
    LockSupport.unpark(waiter);
    waiter.join(30_000);
    assertFalse(waiter.isAlive());
  }
}
