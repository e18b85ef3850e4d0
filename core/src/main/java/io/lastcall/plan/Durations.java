package io.lastcall.plan;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Durations as operators write them: {@code 30s}, {@code 500ms}, {@code 1m30s}, {@code PT30S}. */
public final class Durations {
  /** The texts that {@link #parse} accepts, in words. */
  public static final String ALLOWED =
      "a duration with unit such as 30s, 500ms, 1m30s or PT30S, from 0s to 168h";

  private static final Pattern UNITS =
      Pattern.compile("(?:(\\d{1,9})h)?(?:(\\d{1,9})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException saying what is wrong with the text
   */
  public static Duration parse(String text) {
    String trimmed = text.trim();
    if (trimmed.matches("[+-]?\\d+(\\.\\d+)?")) {
      throw new IllegalArgumentException("the unit is missing");
    }
    // Duration.parse accepts a sign and either case.
    Duration duration = trimmed.matches("[+-]?[Pp].*") ? iso(trimmed) : units(trimmed);
    if (duration.isNegative()) {
      throw new IllegalArgumentException("it is negative");
    }
    if (duration.compareTo(Deadline.LONGEST) > 0) {
      throw new IllegalArgumentException("it is longer than a week");
    }
    return duration;
  }

  /** Returns the shorter of the two. */
  public static Duration min(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** Returns the longer of the two. */
  public static Duration max(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** Returns the duration, zero in place of a negative one. */
  static Duration positive(Duration duration) {
    return max(duration, Duration.ZERO);
  }

  /** Writes a duration the way it may be configured: {@code 1m30s}, {@code 500ms}. */
  static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    StringBuilder text = new StringBuilder();
    append(text, duration.toHours(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? duration.toString() : text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }

  private static Duration iso(String text) {
    try {
      return Duration.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("it is not an ISO-8601 duration", e);
    }
  }

  private static Duration units(String text) {
    if (text.startsWith("-")) {
      throw new IllegalArgumentException("it is negative");
    }
    Matcher parts = UNITS.matcher(text.toLowerCase(Locale.ROOT));
    if (text.isEmpty() || !parts.matches()) {
      throw new IllegalArgumentException("it is not a duration");
    }
    return Duration.ofHours(amount(parts.group(1)))
        .plusMinutes(amount(parts.group(2)))
        .plusSeconds(amount(parts.group(3)))
        .plusMillis(amount(parts.group(4)));
  }

  private static long amount(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
