package io.lastcall.spring.taker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for conditions that no callback tells of. */
final class Poll {
  private static final long AGAIN_MILLIS = 10;

  private Poll() {}

  /** Returns when a condition is true. */
  static void until(BooleanSupplier condition) throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    while (!condition.getAsBoolean()) {
      boolean unused = never.await(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }
}
