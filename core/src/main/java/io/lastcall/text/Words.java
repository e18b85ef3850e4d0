package io.lastcall.text;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How logs and reports name numbers, times and failures. Without format strings, which are slow at
 * their first use: the report is made between the last response and the exit.
 */
public final class Words {
  private Words() {}

  /** Returns {@code 1 request}, {@code 2 requests}. */
  public static String counted(long count, String noun) {
    return count + " " + noun + (count == 1 ? "" : "s");
  }

  /** Milliseconds below a second, else seconds with the decimals a person needs. */
  public static String of(Duration duration) {
    long millis = duration.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (duration.toSeconds() >= 100) {
      return duration.toSeconds() + " s";
    }
    long tenths = (millis + 50) / 100;
    return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
  }

  /** Returns class and message of a failure, which may throw when it is asked: then its class. */
  public static String of(Throwable failure) {
    return ask(failure, Throwable::toString);
  }

  /** Returns its message, or its class if it has none. */
  public static String message(Throwable failure) {
    return ask(failure, Throwable::getMessage);
  }

  private static String ask(Throwable failure, Function<Throwable, @Nullable String> question) {
    String name = failure.getClass().getName();
    try {
      return Objects.requireNonNullElse(question.apply(failure), name);
    } catch (Throwable second) {
      return name;
    }
  }
}
