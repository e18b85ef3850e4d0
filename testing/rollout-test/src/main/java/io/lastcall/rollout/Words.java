package io.lastcall.rollout;

import static io.lastcall.rollout.load.RootLocale.format;

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

  static String seconds(long nanos) {
    return nanos < 1_000_000_000L ? format("%.0f ms", nanos / 1e6) : format("%.1f s", nanos / 1e9);
  }
}
