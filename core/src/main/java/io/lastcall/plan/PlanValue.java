package io.lastcall.plan;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the plan: an effective value and where it is from.
 *
 * @param name the setting's name
 * @param value the effective value
 * @param text the value as it would be configured; a token is masked
 * @param sourceText where it is from, such as {@code environment LASTCALL_GRACE_PERIOD}
 * @param isDefault whether it is the default
 * @param <T> the type of the value
 */
public record PlanValue<T>(
    String name, T value, String text, String sourceText, boolean isDefault) {

  static <T> PlanValue<T> given(Setting<T> setting, T value, String source) {
    return new PlanValue<>(setting.name(), value, setting.format(value), source, false);
  }

  /** Returns this value with a source that names the others that differ, each text once. */
  PlanValue<T> over(List<PlanValue<?>> others) {
    String lost =
        others.stream()
            .filter(other -> !other.value().equals(value))
            .collect(groupingBy(PlanValue::text, LinkedHashMap::new, toList()))
            .values()
            .stream()
            .map(same -> "%s (%s)".formatted(same.get(0).text(), same.get(0).sourceText()))
            .collect(joining(", "));
    return lost.isEmpty() ? this : with(text, sourceText + ", not " + lost);
  }

  PlanValue<T> with(String otherText, String otherSource) {
    return new PlanValue<>(name, value, otherText, otherSource, isDefault);
  }

  /**
   * Returns the refusal of a value that is valid by itself and cannot be used here.
   *
   * @param why what is wrong, and what is allowed
   */
  public IllegalArgumentException refusal(String why, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "%s=%s (%s): %s".formatted(name, text, sourceText, why), cause);
  }

  /** Returns the value for JSON: a number, a duration or a list as such, else its text. */
  public Object json() {
    Object plain = value instanceof Optional<?> some ? some.orElse(null) : value;
    return plain instanceof Number || plain instanceof Duration || plain instanceof List<?>
        ? plain
        : text;
  }
}
