package io.lastcall.plan;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the plan: an effective value and where it is from.
 *
 * @param name the setting's name
 * @param value the effective value
 * @param text the value as it would be configured
 * @param source where it is from
 * @param origin the property, variable or class it is from, or why the default is what it is; may
 *     be empty
 * @param <T> the type of the value
 */
public record PlanValue<T>(String name, T value, String text, Source source, String origin) {

  static <T> PlanValue<T> of(Setting<T> setting, T value, Source source, String origin) {
    return new PlanValue<>(setting.name(), value, setting.format(value), source, origin);
  }

  /** Returns whether nobody has set it. */
  public boolean isDefault() {
    return source == Source.DEFAULT;
  }

  /** Returns the source in words, such as {@code environment LASTCALL_GRACE_PERIOD}. */
  public String sourceText() {
    String words =
        switch (source) {
          case SYSTEM_PROPERTY -> "system property";
          case ENVIRONMENT -> "environment";
          case CONFIGURATION -> "configuration";
          case CODE -> "code";
          case ANNOTATION -> "annotation";
          case DEFAULT -> "default";
        };
    if (origin.isEmpty()) {
      return words;
    }
    return isDefault() ? words + ", " + origin : words + " " + origin;
  }

  /**
   * Returns the refusal of a value that fits its setting and cannot be had.
   *
   * @param why what is wrong, and what is allowed
   */
  public IllegalArgumentException refusal(String why, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "%s=%s (%s): %s".formatted(name, text, sourceText(), why), cause);
  }

  /** Returns the row as it stands in the plan's JSON. */
  Map<String, Object> row() {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", name);
    row.put("value", json());
    row.put("text", text);
    row.put("source", source);
    row.put("origin", origin);
    return row;
  }

  /** Returns the value for JSON: a number or a list as such, else as configured, a token masked. */
  public Object json() {
    Object plain = value instanceof Optional<?> some ? some.orElse(null) : value;
    return plain instanceof Number || plain instanceof Duration || plain instanceof List<?>
        ? plain
        : text;
  }
}
