package io.lastcall.plan;

import io.lastcall.annotation.ShutdownSettings;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The values a class gives in {@link ShutdownSettings}. An attribute that has its default is no
 * value: the setting's own default is the same, and is computed from the others.
 *
 * @param type the class that carries the annotation
 * @param texts attribute to text
 */
record AnnotatedSettings(Class<?> type, Map<String, String> texts) {

  /** Finds those of a class, or those that it inherits, which are its superclass's. */
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
      Object value = value(attribute, settings);
      if (!Objects.deepEquals(value, attribute.getDefaultValue())) {
        texts.put(attribute.getName(), text(value));
      }
    }
    return texts;
  }

  /**
   * @throws IllegalArgumentException naming class, attribute, text and what is allowed
   */
  <T> Optional<PlanValue<T>> find(Setting<T> setting) {
    String text = texts.get(setting.attribute());
    if (text == null) {
      return Optional.empty();
    }
    String origin = "@ShutdownSettings on %s: %s".formatted(type.getName(), setting.attribute());
    return Optional.of(
        PlanValue.of(
            setting, setting.parse(text, origin), Source.ANNOTATION, type.getSimpleName()));
  }

  private static Object value(Method attribute, ShutdownSettings settings) {
    try {
      return attribute.invoke(settings);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Cannot read " + attribute, e);
    }
  }

  private static String text(Object value) {
    return value instanceof String[] list ? String.join(",", list) : value.toString();
  }
}
