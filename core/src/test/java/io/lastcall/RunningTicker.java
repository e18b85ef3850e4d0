package io.lastcall;

import io.lastcall.time.Ticker;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that moves on whenever somebody looks. Nobody waits for it to move. */
final class RunningTicker implements Ticker {
  private final AtomicLong now = new AtomicLong();

  @Override
  public long read() {
    return now.addAndGet(ThreadLocalRandom.current().nextLong(10_000));
  }

  @Override
  public void parkUntil(Object blocker, long time) {
    LockSupport.park(blocker);
  }
}
