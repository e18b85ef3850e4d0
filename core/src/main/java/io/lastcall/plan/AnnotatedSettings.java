package io.lastcall.plan;

import io.lastcall.annotation.ShutdownSettings;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The values that a class gives in {@link ShutdownSettings}. An attribute that is empty, as every
 * default is, is no value: the plan computes defaults from other settings.
 *
 * @param type the class that carries the annotation
 * @param texts attribute to text
 */
record AnnotatedSettings(Class<?> type, Map<String, String> texts) {

  /** Returns the settings of a class, or those of its nearest superclass that has some. */
  static Optional<AnnotatedSettings> of(Class<?> type) {
    for (Class<?> at = type; at != null; at = at.getSuperclass()) {
      ShutdownSettings settings = at.getDeclaredAnnotation(ShutdownSettings.class);
      if (settings != null) {
        return Optional.of(new AnnotatedSettings(at, texts(settings)));
      }
    }
    return Optional.empty();
  }

  private static Map<String, String> texts(ShutdownSettings settings) {
    Map<String, String> texts = new HashMap<>();
    for (Method attribute : ShutdownSettings.class.getDeclaredMethods()) {
      try {
        String text = text(attribute.invoke(settings));
        if (!text.isEmpty()) {
          texts.put(attribute.getName(), text);
        }
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Cannot read " + attribute, e);
      }
    }
    return texts;
  }

  /** Returns the elements of an array, separated by commas; what takes one refuses several. */
  private static String text(Object value) {
    return value.getClass().isArray()
        ? IntStream.range(0, Array.getLength(value))
            .mapToObj(i -> Array.get(value, i).toString())
            .collect(Collectors.joining(","))
        : value.toString();
  }

  /**
   * Returns the value of a setting, if it has one here.
   *
   * @throws IllegalArgumentException naming class, attribute, text and what is allowed
   */
  <T> Optional<PlanValue<T>> find(Setting<T> setting) {
    String attribute = attribute(setting);
    String origin = "@ShutdownSettings on %s: %s".formatted(type.getName(), attribute);
    return Optional.ofNullable(texts.get(attribute))
        .map(text -> setting.parse(text, origin))
        .map(value -> PlanValue.given(setting, value, "annotation " + type.getSimpleName()));
  }

  /** Returns the attribute of a setting: {@code gracePeriod} for {@code grace-period}. */
  static String attribute(Setting<?> setting) {
    StringBuilder attribute = new StringBuilder();
    for (String word : setting.name().split("-", -1)) {
      String start = word.substring(0, 1);
      attribute.append(attribute.isEmpty() ? start : start.toUpperCase(Locale.ROOT));
      attribute.append(word.substring(1));
    }
    return attribute.toString();
  }
}
