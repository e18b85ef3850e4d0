package io.lastcall.manifests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * What {@code kustomize build} makes of the examples' folders, so that the test needs no program:
 * resources, components, strategic merge patches by {@code path}, and {@link Replacements}.
 */
final class Kustomization {
  private final List<Map<?, ?>> objects = new ArrayList<>();

  /** Reads a folder's {@code kustomization.yaml} and all that it names. */
  static Kustomization build(Path folder) throws IOException {
    Kustomization built = new Kustomization();
    Map<?, ?> file = (Map<?, ?>) documents(folder.resolve("kustomization.yaml")).get(0);
    for (Object resource : list(file.get("resources"))) {
      Path path = folder.resolve(resource.toString()).normalize();
      if (Files.isDirectory(path)) {
        built.objects.addAll(build(path).objects);
      } else {
        documents(path).forEach(object -> built.objects.add((Map<?, ?>) object));
      }
    }
    built.change(folder, file);
    for (Object component : list(file.get("components"))) {
      Path path = folder.resolve(component.toString()).normalize();
      built.change(path, (Map<?, ?>) documents(path.resolve("kustomization.yaml")).get(0));
    }
    return built;
  }

  static List<?> list(@Nullable Object value) {
    return value == null ? List.of() : (List<?>) value;
  }

  private void change(Path folder, Map<?, ?> file) throws IOException {
    for (Object each : list(file.get("patches"))) {
      Map<?, ?> patch = (Map<?, ?>) each;
      for (Object document : documents(folder.resolve("" + patch.get("path")))) {
        if (patch.get("target") instanceof Map<?, ?> target) {
          patchAll("" + target.get("kind"), (Map<?, ?>) document);
        } else {
          patch((Map<?, ?>) document);
        }
      }
    }
    Replacements replacements = Replacements.of(file);
    objects.replaceAll(replacements::applied);
  }

  /** For a target the patch's own kind and name mean nothing. */
  private void patchAll(String kinds, Map<?, ?> patch) {
    Map<?, ?> changes = Map.of("spec", Objects.requireNonNull(patch.get("spec")));
    objects.replaceAll(
        object ->
            ("" + object.get("kind")).matches(kinds)
                ? (Map<?, ?>) merged(object, changes)
                : object);
  }

  private static List<Object> documents(Path file) throws IOException {
    return documents(Files.readString(file));
  }

  static List<Object> documents(String text) {
    List<Object> documents = new ArrayList<>();
    new Load(LoadSettings.builder().build()).loadAllFromString(text).forEach(documents::add);
    return documents;
  }

  private void patch(Map<?, ?> patch) {
    List<Map<?, ?>> targets =
        objects.stream().filter(object -> identity(object).equals(identity(patch))).toList();
    if (targets.size() != 1) {
      throw new IllegalArgumentException(targets.size() + " objects are " + identity(patch));
    }
    objects.replaceAll(
        object -> object == targets.get(0) ? (Map<?, ?>) merged(object, patch) : object);
  }

  private static String identity(Map<?, ?> object) {
    Map<?, ?> metadata = (Map<?, ?>) Objects.requireNonNull(object.get("metadata"));
    return object.get("kind") + " " + metadata.get("name");
  }

  private static Object merged(@Nullable Object old, Object patch) {
    if (old instanceof Map<?, ?> oldMap && patch instanceof Map<?, ?> changes) {
      Map<Object, Object> result = new LinkedHashMap<>(oldMap);
      changes.forEach(
          (key, value) -> {
            if (value == null) {
              result.remove(key);
            } else {
              result.put(key, merged(result.get(key), value));
            }
          });
      return result;
    }
    if (old instanceof List<?> oldItems && patch instanceof List<?> items && isKeyed(items)) {
      Map<Object, Object> result = new LinkedHashMap<>();
      oldItems.forEach(item -> result.put(key(item), item));
      items.forEach(item -> result.put(key(item), merged(result.get(key(item)), item)));
      return List.copyOf(result.values());
    }
    return patch;
  }

  private static boolean isKeyed(List<?> items) {
    return items.stream()
        .allMatch(item -> item instanceof Map<?, ?> map && map.get("name") != null);
  }

  private static Object key(Object item) {
    Map<?, ?> map = (Map<?, ?>) item;
    return Objects.requireNonNull(map.get(map.get("mountPath") == null ? "name" : "mountPath"));
  }

  List<Map<?, ?>> objects() {
    return objects;
  }

  /** Returns the objects as kustomize prints them. */
  String text() {
    Dump dump = new Dump(DumpSettings.builder().build());
    return objects.stream().map(dump::dumpToString).collect(Collectors.joining("---\n"));
  }
}
