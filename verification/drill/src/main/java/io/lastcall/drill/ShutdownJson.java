package io.lastcall.drill;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * An object of a shutdown's JSON, read by the names that {@code docs/report.md} lists. What is not
 * there reads as nothing, so that reports of other versions can be shown.
 */
record ShutdownJson(Map<?, ?> members) {

  /**
   * @throws IllegalArgumentException if it is not the report of a shutdown that ended
   */
  static ShutdownJson read(String text) {
    if (value(text) instanceof Map<?, ?> members && members.containsKey("schema")) {
      ShutdownJson report = new ShutdownJson(members);
      if (report.text("outcome").equals("UNFINISHED")) {
        throw new IllegalArgumentException(
            "The process has not ended yet, or was killed before it could write a report");
      }
      return report;
    }
    throw new IllegalArgumentException("Not a shutdown's report: docs/report.md has its schema");
  }

  /** JSON is YAML 1.2, for which there is a reader. */
  private static @Nullable Object value(String text) {
    try {
      return new Load(LoadSettings.builder().build()).loadFromString(text);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException("No JSON: " + e.getMessage(), e);
    }
  }

  ShutdownJson object(String name) {
    return members.get(name) instanceof Map<?, ?> map ? new ShutdownJson(map) : none();
  }

  List<ShutdownJson> objects(String name) {
    return list(name).stream()
        .map(item -> item instanceof Map<?, ?> map ? new ShutdownJson(map) : none())
        .toList();
  }

  double number(String name) {
    return members.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  boolean has(String name) {
    return members.get(name) != null;
  }

  boolean flag(String name) {
    return Boolean.TRUE.equals(members.get(name));
  }

  String text(String name) {
    return members.get(name) instanceof String text ? text : "";
  }

  /** Milliseconds in the JSON, nanoseconds here. */
  long nanos(String name) {
    return Math.round(number(name) * 1e6);
  }

  private List<?> list(String name) {
    @Nullable Object value = members.get(name);
    return value instanceof List<?> items ? items : List.of();
  }

  private static ShutdownJson none() {
    return new ShutdownJson(Map.of());
  }
}
