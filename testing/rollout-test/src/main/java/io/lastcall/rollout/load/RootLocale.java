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
}
