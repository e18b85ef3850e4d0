package io.lastcall.json;

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
   * Writes a value.
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
      append(text, duration);
    } else if (value instanceof Optional<?> optional) {
      append(text, optional.orElse(null));
    } else if (value instanceof Map<?, ?> map) {
      append(text, map);
    } else if (value instanceof Collection<?> items) {
      append(text, items);
    } else {
      throw new IllegalArgumentException("No JSON for a " + value.getClass().getName());
    }
  }

  private static void append(StringBuilder text, Duration duration) {
    long micros = duration.toNanos() / 1_000;
    if (micros % 1_000 == 0) {
      text.append(micros / 1_000);
    } else {
      text.append(micros / 1_000.0);
    }
  }

  private static void append(StringBuilder text, Map<?, ?> map) {
    String separator = "{";
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      text.append(separator);
      quote(text, String.valueOf(entry.getKey()));
      text.append(':');
      append(text, entry.getValue());
      separator = ",";
    }
    text.append(map.isEmpty() ? "{}" : "}");
  }

  private static void append(StringBuilder text, Collection<?> items) {
    String separator = "[";
    for (Object item : items) {
      text.append(separator);
      append(text, item);
      separator = ",";
    }
    text.append(items.isEmpty() ? "[]" : "]");
  }

  private static void quote(StringBuilder text, String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < 0x20) {
            text.append(String.format("\\u%04x", (int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
