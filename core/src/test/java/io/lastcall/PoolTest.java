package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.phase.Phase;
import io.lastcall.pool.FakePool;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pools within a shutdown. */
@Timeout(120)
class PoolTest {
  private static final String THREAD = "lastcall-pool-orders";

  private final Harness harness = new Harness();

  private void passSamples(int count) {
    for (int i = 0; i < count; i++) {
      Duration next = harness.ticker.elapsed().plusMillis(100);
      harness.ticker.awaitParkedUntil(THREAD, next);
      harness.ticker.advanceTo(next);
    }
  }

  @Test
  void pool_whileRoutersLearn_closesItsSurplus_andIsWholeUntilTheTrigger() {
    FakePool pool = new FakePool(10);
    GracefulShutdown shutdown = harness.install();
    shutdown.pool("orders", pool);
    shutdown.step(
        Phase.CLOSE_CONNECTIONS,
        "pool",
        context -> harness.events.add("closed with " + pool.open() + " open"));
    harness.ticker.advance(Duration.ofSeconds(60));
    assertEquals(10, pool.open());
    Harness.join(harness.jvm.raise("TERM"));
    passSamples(30);
    harness.ticker.awaitParked(THREAD);
    assertEquals(1, pool.open());
    harness.pass(71_250);
    harness.pass(75_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(
        List.of("closed with 1 open"),
        harness.events.stream().filter(event -> event.startsWith("closed")).toList());
  }

  @Test
  void pool_whileARequestUsesIt_keepsWhatIsInUse() {
    FakePool pool = new FakePool(10);
    harness.install().pool("orders", pool);
    pool.inUse.set(2);
    Harness.join(harness.jvm.raise("TERM"));
    passSamples(30);
    harness.ticker.awaitParked(THREAD);
    assertEquals(4, pool.open());
  }

  @Test
  void pool_takenBack_staysAsItIs() {
    FakePool pool = new FakePool(10);
    GracefulShutdown shutdown = harness.install();
    shutdown.pool("others", pool).remove();
    shutdown.pool("orders", new FakePool(10));
    Harness.join(harness.jvm.raise("TERM"));
    passSamples(31);
    assertEquals(10, pool.open());
  }

  @Test
  void pool_onceTheShutdownHasBegun_isRefused() {
    GracefulShutdown shutdown = harness.terminate();
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> shutdown.pool("orders", new FakePool(10)));
    assertEquals(
        "pool(orders) is too late: the shutdown has begun (SIGTERM); allowed: before",
        refusal.getMessage());
  }
}
