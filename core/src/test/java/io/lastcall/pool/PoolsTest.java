package io.lastcall.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.process.CapturedLog;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Which connections a leaving process closes, and when. */
@Timeout(120)
class PoolsTest {
  private static final String THREAD = "lastcall-pool-orders";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final ManualTicker ticker = new ManualTicker();
  private final AtomicLong arrivals = new AtomicLong();
  private final Pools pools = new Pools(arrivals::get, ticker);

  private void leave(ConnectionPool pool) {
    var unused = pools.add("orders", pool);
    pools.leave();
    ticker.awaitParkedUntil(THREAD, ticker.elapsed().plusMillis(100));
  }

  /** Moves on sample by sample. */
  private void pass(int millis) {
    for (int passed = 0; passed < millis; passed += 100) {
      ticker.advance(Duration.ofMillis(100));
      ticker.awaitParkedUntil(THREAD, ticker.elapsed().plusMillis(100));
    }
  }

  @AfterEach
  void stop() {
    pools.stop();
  }

  @Test
  void idle_afterThreeSeconds_oneConnectionIsKept() {
    FakePool pool = new FakePool(10);
    leave(pool);
    pass(2_900);
    assertEquals(10, pool.open());
    pass(100);
    assertEquals(1, pool.open());
    pass(5_000);
    assertEquals(1, pool.open());
  }

  @Test
  void inUse_halfAsManyAgainAndAtLeastTwoMoreAreKept() {
    FakePool pool = new FakePool(20);
    pool.inUse.set(8);
    leave(pool);
    pass(3_000);
    assertEquals(12, pool.open());
    pool.inUse.set(1);
    pass(3_000);
    assertEquals(3, pool.open());
  }

  @Test
  void peakOfOneSample_isKeptForThreeSeconds() {
    FakePool pool = new FakePool(10);
    leave(pool);
    pool.inUse.set(4);
    pass(100);
    pool.inUse.set(0);
    pass(2_900);
    assertEquals(6, pool.open());
    pass(100);
    assertEquals(1, pool.open());
  }

  @Test
  void requestsArrive_noneIsSeenInUse_threeAreKept() {
    FakePool pool = new FakePool(10);
    leave(pool);
    for (int i = 0; i < 40; i++) {
      arrivals.incrementAndGet();
      pass(100);
    }
    assertEquals(3, pool.open());
    pass(3_000);
    assertEquals(1, pool.open());
  }

  @Test
  void usedWithoutRequests_asByAConsumer_countsAsMuch() {
    FakePool pool = new FakePool(10);
    pool.inUse.set(10);
    leave(pool);
    pass(6_000);
    assertEquals(10, pool.open());
  }

  @Test
  void burst_whileConnectionsAreBeingClosed_endsTheClosing() {
    FakePool pool =
        new FakePool(10) {
          @Override
          public boolean closeOneIdle() throws Exception {
            boolean closed = super.closeOneIdle();
            inUse.set(6);
            return closed;
          }
        };
    leave(pool);
    pass(3_000);
    assertEquals(9, pool.open());
  }

  @Test
  void noneCanBeClosed_theNextSampleTriesAgain() {
    AtomicInteger asked = new AtomicInteger();
    FakePool pool =
        new FakePool(3) {
          @Override
          public boolean closeOneIdle() throws Exception {
            return asked.incrementAndGet() % 2 == 0 && super.closeOneIdle();
          }
        };
    leave(pool);
    pass(3_000);
    assertEquals(3, pool.open());
    pass(200);
    assertEquals(1, pool.open());
    assertEquals(4, asked.get());
  }

  @Test
  void fails_isLoggedOnceAndThePoolStaysAsItIs() {
    AtomicInteger asked = new AtomicInteger();
    FakePool pool =
        new FakePool(10) {
          @Override
          public boolean closeOneIdle() {
            asked.incrementAndGet();
            throw new UnsupportedOperationException("frozen");
          }
        };
    leave(pool);
    pass(2_900);
    ticker.advance(Duration.ofMillis(100));
    log.awaitLogged("Pool 'orders' keeps its idle connections until it is closed");
    assertEquals(10, pool.open());
    assertEquals(1, asked.get());
  }

  @Test
  void stopped_nothingMoreIsClosed_andTheNumberIsLogged() {
    FakePool pool = new FakePool(10);
    leave(pool);
    pool.inUse.set(3);
    pass(3_000);
    assertEquals(5, pool.open());
    pool.inUse.set(0);
    pools.stop();
    log.awaitLogged("Pool 'orders' has closed 5 of 10 connections: they were idle");
    ticker.advance(Duration.ofSeconds(10));
    assertEquals(5, pool.open());
  }

  /** A database that does not answer: the pool is closed all the same, and by another thread. */
  @Test
  void stopped_whileAConnectionIsBeingClosed_doesNotWait() {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    FakePool pool =
        new FakePool(10) {
          @Override
          public boolean closeOneIdle() throws Exception {
            asked.countDown();
            answered.await();
            return super.closeOneIdle();
          }
        };
    leave(pool);
    pass(2_900);
    ticker.advance(Duration.ofMillis(100));
    Awaitility.await().until(() -> asked.getCount() == 0);
    pools.stop();
    answered.countDown();
    log.awaitLogged("Pool 'orders' has closed 1 of 10 connections");
    assertEquals(9, pool.open());
  }

  @Test
  void removed_isLeftAlone() {
    FakePool pool = new FakePool(10);
    pools.add("others", pool).run();
    leave(new FakePool(10));
    pass(4_000);
    assertEquals(10, pool.open());
  }

  @Test
  void rollout_aPoolThatSaysItsMaximum_isTwiceThatMany() {
    Pools.logRollout("orders", new FakePool(3), "15s to 29s");
    assertEquals("", log.text(), "it does not say");
    Pools.logRollout("orders", sized(() -> OptionalInt.of(10)), "15s to 29s");
    log.assertLogged(
        "Pool 'orders' of 10 connections: up to 20 with the successor's in a rollout, for 15s to"
            + " 29s");
  }

  @Test
  void rollout_aPoolThatFails_isNamed() {
    Pools.logRollout(
        "orders",
        sized(
            () -> {
              throw new IllegalStateException("closed");
            }),
        "15s to 29s");
    log.assertLogged("Pool 'orders' does not say how many connections it opens");
  }

  private static ConnectionPool sized(Supplier<OptionalInt> maximum) {
    return new FakePool(10) {
      @Override
      public OptionalInt maximum() {
        return maximum.get();
      }
    };
  }
}
