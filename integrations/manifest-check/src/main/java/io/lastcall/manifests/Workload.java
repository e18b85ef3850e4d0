package io.lastcall.manifests;

import io.lastcall.plan.ShutdownPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** An object that makes Pods, with the container of its service: the first that has LASTCALL_*. */
final class Workload {
  private static final Set<String> SERVERS =
      Set.of("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod");

  /** Names and parts of images that have no shell and no other program. */
  private static final List<String> SHELLLESS =
      List.of(
          "distroless",
          "cgr.dev/chainguard",
          "ubi9-micro",
          "ubi8-micro",
          "paketobuildpacks/run-jammy-tiny",
          "scratch");

  private static final String IGNORE = "lastcall.io/ignore";

  final Yaml object;
  final Yaml template;
  final Yaml spec;
  final Yaml container;
  final Map<String, Yaml> environment;

  /** The plan within the Pod's own grace period, or an ample one; empty where it is refused. */
  Optional<ShutdownPlan> plan = Optional.empty();

  private final List<Yaml> others;
  private final Consumer<Finding> findings;
  private final List<String> ignored;

  /**
   * @param others all objects, for those that belong to it
   */
  Workload(Yaml object, Yaml template, List<Yaml> others, Consumer<Finding> findings) {
    this.object = object;
    this.template = template;
    this.others = others;
    this.findings = findings;
    spec = template.get("spec");
    ignored = List.of(object.get("metadata", "annotations", IGNORE).text("").split("[, ]+"));
    List<Yaml> all = spec.get("containers").items();
    container =
        all.stream()
            .filter(each -> environment(each).keySet().stream().anyMatch(Workload::isSetting))
            .findFirst()
            .or(() -> all.stream().findFirst())
            .orElse(spec.get("containers"));
    environment = environment(container);
  }

  /** Returns the workload of an object; empty if it makes no Pods. */
  static Optional<Workload> of(Yaml object, List<Yaml> others, Consumer<Finding> findings) {
    Yaml template =
        switch (object.get("kind").text("")) {
          case "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job" ->
              object.get("spec", "template");
          case "CronJob" -> object.get("spec", "jobTemplate", "spec", "template");
          case "Pod" -> object;
          default -> object.get("none");
        };
    return template.isPresent()
        ? Optional.of(new Workload(object, template, others, findings))
        : Optional.empty();
  }

  private static boolean isSetting(String name) {
    return name.startsWith("LASTCALL_");
  }

  /** Finds variables with their values, those of ConfigMaps that are at hand included. */
  private Map<String, Yaml> environment(Yaml of) {
    Map<String, Yaml> found = new LinkedHashMap<>();
    for (Yaml source : of.get("envFrom").items()) {
      String name = source.get("configMapRef", "name").text("");
      ofKind("ConfigMap")
          .filter(map -> map.get("metadata", "name").is(name))
          .map(map -> map.get("data"))
          .forEach(data -> data.keys().forEach(key -> found.put(key, data.get(key))));
    }
    of.get("env").items().forEach(each -> found.put(each.get("name").text(""), each.get("value")));
    return found;
  }

  /** Reports something, unless the object's annotation says that it is meant. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  void find(Rule rule, Yaml where, String message, Object... values) {
    if (!ignored.contains(rule.id())) {
      findings.accept(new Finding(rule, where.file(), where.line(), message.formatted(values)));
    }
  }

  /** Returns the objects of a kind in the same namespace. */
  Stream<Yaml> ofKind(String kind) {
    Yaml namespace = object.get("metadata", "namespace");
    return others.stream()
        .filter(other -> other.get("kind").is(kind))
        .filter(other -> other.get("metadata", "namespace").text("").equals(namespace.text("")));
  }

  /** Returns whether each of these labels is one of the Pods'. */
  boolean isSelectedBy(Yaml labels) {
    Yaml own = template.get("metadata", "labels");
    return !labels.keys().isEmpty()
        && labels.keys().stream().allMatch(key -> own.get(key).is(labels.get(key).text("")));
  }

  String kind() {
    return object.get("kind").text("");
  }

  boolean isServer() {
    return SERVERS.contains(kind());
  }

  boolean isJob() {
    return kind().equals("Job") || kind().equals("CronJob");
  }

  int replicas() {
    return object.get("spec", "replicas").number(1);
  }

  /** Returns the Pod's grace period in seconds. */
  int graceSeconds() {
    return spec.get("terminationGracePeriodSeconds").number(30);
  }

  Yaml preStop() {
    return container.get("lifecycle", "preStop");
  }

  /** Returns the program and arguments of the container, as far as the manifest says. */
  List<String> commandLine() {
    return Stream.of("command", "args")
        .flatMap(part -> container.get(part).items().stream())
        .map(item -> item.text(""))
        .toList();
  }

  /** Returns the options of the JVM, as far as the manifest says. */
  List<String> javaOptions() {
    List<String> options = new ArrayList<>(commandLine());
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS")) {
      Yaml value = environment.get(name);
      if (value != null) {
        options.addAll(Arrays.asList(value.text("").trim().split("\\s+")));
      }
    }
    return options;
  }

  /** Returns whether the image is known to have no shell. */
  boolean isWithoutShell() {
    String image = container.get("image").text("");
    return SHELLLESS.stream().anyMatch(image::contains)
        && !image.endsWith(":debug")
        && !image.endsWith("-debug")
        && !image.endsWith("-dev");
  }
}
