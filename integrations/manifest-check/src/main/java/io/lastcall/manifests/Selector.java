package io.lastcall.manifests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A label selector; an empty one selects everything, and an absent one nothing. */
record Selector(boolean isPresent, Map<String, String> labels, List<Yaml> expressions) {
  /** Reads {@code matchLabels} and {@code matchExpressions}. */
  static Selector of(Yaml selector) {
    return new Selector(
        selector.isPresent(),
        texts(selector.get("matchLabels")),
        selector.get("matchExpressions").items());
  }

  /** Reads a Service's or a ReplicationController's, which are labels alone; empty is none. */
  static Selector ofLabels(Yaml labels) {
    return new Selector(!labels.keys().isEmpty(), texts(labels), List.of());
  }

  static Map<String, String> texts(Yaml mapping) {
    Map<String, String> texts = new LinkedHashMap<>();
    mapping.members().forEach((key, value) -> texts.put(key, value.text("")));
    return texts;
  }

  boolean selects(Map<String, String> of) {
    return isPresent
        && of.entrySet().containsAll(labels.entrySet())
        && expressions.stream().allMatch(expression -> holds(expression, of));
  }

  private static boolean holds(Yaml expression, Map<String, String> of) {
    String value = of.get(expression.get("key").text(""));
    List<String> values = expression.get("values").texts();
    return switch (expression.get("operator").text("")) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> false;
    };
  }
}
