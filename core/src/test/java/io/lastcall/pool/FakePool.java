package io.lastcall.pool;

import java.util.concurrent.atomic.AtomicInteger;

/** A pool on paper: the test says how many connections are in use. Thread-safe. */
public class FakePool implements ConnectionPool {
  /** To be set by the test. */
  public final AtomicInteger inUse = new AtomicInteger();

  private final AtomicInteger open;

  /**
   * @param open how many connections are open
   */
  public FakePool(int open) {
    this.open = new AtomicInteger(open);
  }

  /** Returns how many connections are open. */
  public int open() {
    return open.get();
  }

  @Override
  public int inUse() {
    return inUse.get();
  }

  @Override
  public int idle() {
    return open.get() - inUse.get();
  }

  @Override
  public boolean closeOneIdle() throws Exception {
    if (idle() < 2) {
      throw new AssertionError("asked with " + idle() + " idle");
    }
    open.decrementAndGet();
    return true;
  }
}
