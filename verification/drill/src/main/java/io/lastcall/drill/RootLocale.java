package io.lastcall.drill;

import java.util.Locale;

/**
 * Figures that read the same everywhere: a decimal comma would break the page's style, and tests.
 */
final class RootLocale {
  private RootLocale() {}

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }
}
