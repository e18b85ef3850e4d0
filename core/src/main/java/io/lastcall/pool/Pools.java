package io.lastcall.pool;

import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sequence's side of {@link ConnectionPool}. Thread-safe.
 *
 * @hidden of the library itself
 */
public final class Pools {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final List<LeavingPool> all = new CopyOnWriteArrayList<>();
  private final LongSupplier arrivals;
  private final Ticker ticker;

  /**
   * Creates a registry without pools.
   *
   * @param arrivals how many requests have arrived so far
   */
  public Pools(LongSupplier arrivals, Ticker ticker) {
    this.arrivals = arrivals;
    this.ticker = ticker;
  }

  /** Adds a pool; returns a handle that removes it. */
  public Runnable add(String name, ConnectionPool pool) {
    Objects.requireNonNull(name, "name must not be null");
    Objects.requireNonNull(pool, "pool must not be null");
    LeavingPool added = new LeavingPool(name, pool, arrivals, ticker);
    all.add(added);
    return () -> all.remove(added);
  }

  /**
   * Logs how many connections a rollout may need, if the pool says how many it opens.
   *
   * @param stay how long a leaving process stays beside its successor
   */
  public static void logRollout(String name, ConnectionPool pool, String stay) {
    try {
      pool.maximum()
          .ifPresent(
              most ->
                  ShutdownLog.info(
                      log,
                      "Pool '{}' of {} connections: up to {} with the successor's in a rollout, for"
                          + " {}",
                      name,
                      most,
                      2L * most,
                      stay));
    } catch (RuntimeException e) {
      ShutdownLog.warn(log, "Pool '{}' does not say how many connections it opens", name, e);
    }
  }

  /** Has every pool close its surplus from now on. Called once, at the trigger. */
  public void leave() {
    all.forEach(LeavingPool::start);
  }

  /** Ends that: the pools themselves are closed next. */
  public void stop() {
    all.forEach(LeavingPool::stop);
  }
}
