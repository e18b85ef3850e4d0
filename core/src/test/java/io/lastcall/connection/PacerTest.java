package io.lastcall.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class PacerTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
  private final List<Integer> items = IntStream.range(0, 50).boxed().toList();
  private final List<Integer> done = new CopyOnWriteArrayList<>();

  private Background<Boolean> spread(Duration window, AtomicBoolean hurry) {
    return Background.run(
        () -> {
          Pacer.spread(items, window, () -> deadline, hurry::get, done::add);
          return true;
        });
  }

  @Test
  void spread_noWindow_actsOnEachOnceInRandomOrder() {
    assertTrue(spread(Duration.ZERO, new AtomicBoolean()).result());
    assertEquals(Set.copyOf(items), new HashSet<>(done));
    assertEquals(items.size(), done.size());
    assertNotEquals(items, done);
  }

  @Test
  void spread_hurry_endsTheWaitingNotTheActing() {
    AtomicBoolean hurry = new AtomicBoolean();
    Background<Boolean> spread = spread(Duration.ofSeconds(5), hurry);
    ticker.awaitParked(spread.thread());
    hurry.set(true);
    LockSupport.unpark(spread.thread());
    assertTrue(spread.result());
    assertEquals(items.size(), done.size());
  }

  @Test
  void spread_deadlineBeforeTheWindowEnds_actsOnTheRestAtOnce() {
    Background<Boolean> spread = spread(Duration.ofSeconds(1_000), new AtomicBoolean());
    ticker.awaitParked(spread.thread());
    ticker.advance(Duration.ofSeconds(10));
    assertTrue(spread.result());
    assertEquals(items.size(), done.size());
  }

  @Test
  void spread_pausedOnItsWay_movesTheRestInsteadOfABurst() {
    Background<Boolean> spread = spread(Duration.ofSeconds(5), new AtomicBoolean());
    ticker.awaitParked(spread.thread());
    // 20 slots of 100 ms at once, as when the machine stood still for 2 s.
    ticker.advance(Duration.ofSeconds(2));
    ticker.awaitParked(spread.thread());
    assertTrue(done.size() <= 2, () -> done.size() + " at once");
    int behindThePause = done.size();
    ticker.advance(Duration.ofMillis(200));
    ticker.awaitParked(spread.thread());
    assertTrue(done.size() <= behindThePause + 3, () -> done.size() + " 200 ms later");
    ticker.advance(Duration.ofSeconds(10));
    assertTrue(spread.result());
    assertEquals(items.size(), done.size());
  }

  @Test
  void spread_nothing_returns() {
    Pacer.spread(List.<Integer>of(), Duration.ofSeconds(5), () -> deadline, () -> false, done::add);
    assertEquals(List.of(), done);
  }
}
