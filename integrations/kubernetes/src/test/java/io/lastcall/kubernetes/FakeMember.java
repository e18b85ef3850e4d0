package io.lastcall.kubernetes;

import java.time.Duration;

/** A member of a group that hands over in three steps. */
final class FakeMember implements Preparation {
  static final int STEPS = 3;

  private volatile boolean leaving;
  volatile int moved;
  volatile int cancelled;
  volatile int asked;

  @Override
  public synchronized PreparationAnswer prepare() {
    leaving = true;
    asked++;
    return isPrepared()
        ? PreparationAnswer.prepared()
        : PreparationAnswer.preparing(
            Duration.ofSeconds(STEPS - moved), moved + " of " + STEPS + " shards moved");
  }

  /** Takes the next step, if it hands over. */
  synchronized void moveOn() {
    if (leaving && moved < STEPS) {
      moved++;
    }
  }

  boolean isPrepared() {
    return moved == STEPS;
  }

  boolean isServing() {
    return !leaving;
  }

  @Override
  public synchronized void cancel() {
    leaving = false;
    moved = 0;
    cancelled++;
  }
}
