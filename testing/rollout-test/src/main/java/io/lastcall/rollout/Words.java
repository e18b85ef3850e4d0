package io.lastcall.rollout;

import java.time.Duration;

/** Figures as the messages have them. */
final class Words {
  private Words() {}

  static String of(Duration duration) {
    if (duration.toMillis() % 1000 != 0) {
      return duration.toMillis() + " ms";
    }
    return duration.toSeconds() % 3600 == 0 && !duration.isZero()
        ? duration.toHours() + " h"
        : duration.toSeconds() + " s";
  }
}
