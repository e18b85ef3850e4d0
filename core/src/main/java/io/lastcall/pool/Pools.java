package io.lastcall.pool;

import io.lastcall.time.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** The sequence's side of {@link ConnectionPool}. Thread-safe. */
public final class Pools {
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

  /** Has every pool close its surplus from now on. Called once, at the trigger. */
  public void leave() {
    all.forEach(LeavingPool::start);
  }

  /** Ends that: the pools themselves are closed next. */
  public void stop() {
    all.forEach(LeavingPool::stop);
  }
}
