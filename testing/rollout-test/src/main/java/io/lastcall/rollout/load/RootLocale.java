package io.lastcall.rollout.load;

import java.util.Locale;

/**
 * Figures that read the same everywhere: a decimal comma would break the page's style, and tests.
 */
public final class RootLocale {
  private RootLocale() {}

  public static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  /** A span of time: in ms up to a second, else in s. */
  public static String span(long nanos) {
    return nanos < 1_000_000_000L ? format("%.0f ms", nanos / 1e6) : format("%.1f s", nanos / 1e9);
  }
}
