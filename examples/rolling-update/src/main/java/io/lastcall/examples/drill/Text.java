package io.lastcall.examples.drill;

import java.time.Duration;
import java.util.Locale;

/** Durations as people write them. */
final class Text {
  private Text() {}

  static String of(Duration duration) {
    return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3).replace(".0 s", " s");
  }
}
