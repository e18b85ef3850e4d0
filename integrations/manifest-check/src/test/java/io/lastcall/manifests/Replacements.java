package io.lastcall.manifests;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Kustomize's {@code replacements}, as far as the examples have them: values of a generated
 * ConfigMap, written to fields that are created where they are absent, in front of what is there.
 */
final class Replacements {
  private record One(String kind, List<String> path, String value, String delimiter) {}

  private final List<One> all = new ArrayList<>();

  private Replacements() {}

  static Replacements of(Map<?, ?> kustomization) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Object each : Kustomization.list(kustomization.get("configMapGenerator"))) {
      Map<?, ?> generator = (Map<?, ?>) each;
      for (Object literal : Kustomization.list(generator.get("literals"))) {
        String[] parts = literal.toString().split("=", 2);
        values.put(generator.get("name") + "/data." + parts[0], parts[1]);
      }
    }
    Replacements result = new Replacements();
    for (Object each : Kustomization.list(kustomization.get("replacements"))) {
      Map<?, ?> source = map(((Map<?, ?>) each).get("source"));
      String value =
          Objects.requireNonNull(values.get(source.get("name") + "/" + source.get("fieldPath")));
      for (Object target : Kustomization.list(((Map<?, ?>) each).get("targets"))) {
        result.add((Map<?, ?>) target, value);
      }
    }
    return result;
  }

  private void add(Map<?, ?> target, String value) {
    Map<?, ?> options = map(target.get("options"));
    Object delimiter = options.get("delimiter");
    String kind = "" + map(target.get("select")).get("kind");
    for (Object path : Kustomization.list(target.get("fieldPaths"))) {
      List<String> fields = List.of(path.toString().split("\\."));
      all.add(new One(kind, fields, value, delimiter == null ? "" : delimiter.toString()));
    }
  }

  private static Map<?, ?> map(@Nullable Object value) {
    return (Map<?, ?>) Objects.requireNonNull(value);
  }

  Map<?, ?> applied(Map<?, ?> object) {
    Object result = object;
    for (One each : all) {
      if (each.kind().equals(object.get("kind"))) {
        result = written(result, each.path(), each);
      }
    }
    return (Map<?, ?>) result;
  }

  private static Object written(@Nullable Object old, List<String> path, One one) {
    if (path.isEmpty()) {
      boolean isKept = old != null && !one.delimiter().isEmpty();
      return isKept ? one.value() + one.delimiter() + old : one.value();
    }
    String field = path.get(0);
    List<String> left = path.subList(1, path.size());
    if (field.startsWith("[name=")) {
      return inNamed(
          Kustomization.list(old),
          field.substring("[name=".length(), field.length() - 1),
          left,
          one);
    }
    if (field.matches("\\d+")) {
      List<Object> items = new ArrayList<>(Kustomization.list(old));
      items.set(Integer.parseInt(field), written(items.get(Integer.parseInt(field)), left, one));
      return items;
    }
    Map<Object, Object> members = new LinkedHashMap<>(old == null ? Map.of() : (Map<?, ?>) old);
    members.put(field, written(members.get(field), left, one));
    return members;
  }

  private static Object inNamed(List<?> old, String name, List<String> left, One one) {
    List<Object> items = new ArrayList<>(old);
    for (int i = 0; i < items.size(); i++) {
      if (name.equals(map(items.get(i)).get("name"))) {
        items.set(i, written(items.get(i), left, one));
        return items;
      }
    }
    items.add(written(Map.of("name", name), left, one));
    return items;
  }
}
