package io.lastcall.manifests;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * All objects, and what belongs together. Each question is answered from an index, so that a whole
 * cluster takes a time in proportion to its objects.
 */
final class Manifests {
  private final List<Yaml> objects;
  private final Map<String, Yaml> byName = new HashMap<>();
  private final List<Workload> workloads = new ArrayList<>();

  /** By namespace, and by namespace and label. */
  private final Map<String, List<Workload>> bySelection = new HashMap<>();

  /** What sets the number of replicas, by its target. */
  private final Map<String, Yaml> scalers = new HashMap<>();

  Manifests(List<Yaml> objects, Consumer<Finding> findings) {
    this.objects = objects;
    for (Yaml object : objects) {
      byName.put(
          key(namespace(object), object.get("kind").text(""), object.get("metadata", "name")),
          object);
      addScaler(object);
    }
    for (Yaml object : objects) {
      Workload.of(object, this, findings).ifPresent(this::addWorkload);
    }
  }

  private void addScaler(Yaml object) {
    boolean scales =
        List.of("HorizontalPodAutoscaler", "ScaledObject").contains(object.get("kind").text(""));
    if (scales) {
      Yaml target = object.get("spec", "scaleTargetRef");
      String kind = target.get("kind").text("Deployment");
      scalers.put(key(namespace(object), kind, target.get("name")), object);
    }
  }

  private void addWorkload(Workload workload) {
    String namespace = namespace(workload.object);
    workloads.add(workload);
    index(namespace, workload);
    workload.labels.forEach(
        (label, value) -> index(namespace + "/" + label + "=" + value, workload));
  }

  private void index(String key, Workload workload) {
    bySelection.computeIfAbsent(key, absent -> new ArrayList<>()).add(workload);
  }

  private static String key(String namespace, String kind, Yaml name) {
    return namespace + "/" + kind + "/" + name.text("");
  }

  static String namespace(Yaml object) {
    return object.get("metadata", "namespace").text("default");
  }

  List<Workload> workloads() {
    return workloads;
  }

  Stream<Yaml> ofKind(String... kinds) {
    return objects.stream().filter(object -> List.of(kinds).contains(object.get("kind").text("")));
  }

  /**
   * Finds an object of a namespace.
   *
   * @param name of kind and name: {@code ConfigMap/settings}
   */
  Optional<Yaml> find(String namespace, String name) {
    return Optional.ofNullable(byName.get(namespace + "/" + name));
  }

  /** Returns the HorizontalPodAutoscaler or KEDA's ScaledObject of a workload. */
  Optional<Yaml> scaler(Yaml object) {
    String kind = object.get("kind").text("");
    return Optional.ofNullable(
        scalers.get(key(namespace(object), kind, object.get("metadata", "name"))));
  }

  /** Returns the workloads of the object's namespace whose Pods a selector selects. */
  List<Workload> selected(Yaml object, Selector selector) {
    String namespace = namespace(object);
    List<Workload> fewest =
        selector.labels().entrySet().stream()
            .map(label -> namespace + "/" + label.getKey() + "=" + label.getValue())
            .map(key -> bySelection.getOrDefault(key, List.of()))
            .min(Comparator.comparingInt(List::size))
            .orElse(bySelection.getOrDefault(namespace, List.of()));
    return fewest.stream().filter(each -> selector.selects(each.labels)).toList();
  }
}
