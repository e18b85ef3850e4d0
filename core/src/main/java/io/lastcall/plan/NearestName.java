package io.lastcall.plan;

import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds the name that was meant, for the message that refuses another.
 *
 * @hidden of the library itself
 */
public final class NearestName {
  private NearestName() {}

  /**
   * Returns a known name that begins so, {@code grace-period} for {@code grace}, or else the one of
   * the fewest changes; empty if none is known. Case and {@code . _ -} do not matter.
   */
  public static Optional<String> of(String name, Stream<String> known) {
    return known.min(
        Comparator.comparing((String other) -> !folded(other).startsWith(folded(name)))
            .thenComparingInt(other -> distance(folded(name), folded(other))));
  }

  /** Makes spellings of one name equal: {@code lastcall_grace_period} is one. */
  static String folded(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-').replace('.', '-');
  }

  /** Levenshtein's edit distance, one row at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
