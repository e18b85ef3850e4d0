package io.lastcall.text;

import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps, collections, text, numbers, booleans and null as JSON (RFC 8259). A {@link Duration}
 * is a number of milliseconds, with decimals as far as it has them; an empty {@link Optional} is
 * null; an enum constant is its name.
 */
public final class Json {
  private Json() {}

  /**
   * Returns a value as JSON.
   *
   * @throws IllegalArgumentException for a value of another type
   */
  public static String write(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    append(text, value);
    return text.toString();
  }

  private static void append(StringBuilder text, @Nullable Object value) {
    if (value == null || value instanceof Number || value instanceof Boolean) {
      text.append(value);
    } else if (value instanceof CharSequence || value instanceof Enum<?>) {
      quote(text, value.toString());
    } else if (value instanceof Duration duration) {
      long micros = duration.toNanos() / 1_000;
      text.append(micros % 1_000 == 0 ? String.valueOf(micros / 1_000) : micros / 1_000.0);
    } else if (value instanceof Optional<?> optional) {
      append(text, optional.orElse(null));
    } else if (value instanceof Map<?, ?> map) {
      String separator = "";
      text.append('{');
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        quote(text.append(separator), String.valueOf(entry.getKey()));
        append(text.append(':'), entry.getValue());
        separator = ",";
      }
      text.append('}');
    } else if (value instanceof Collection<?> items) {
      String separator = "";
      text.append('[');
      for (Object item : items) {
        append(text.append(separator), item);
        separator = ",";
      }
      text.append(']');
    } else {
      throw new IllegalArgumentException("No JSON for a " + value.getClass().getName());
    }
  }

  private static void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> text.append(c < 0x20 ? String.format("\\u%04x", (int) c) : String.valueOf(c));
      }
    }
    text.append('"');
  }
}
