package io.lastcall.manifests;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.ShutdownPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** An object that makes Pods, with the container of its service. */
final class Workload {
  private static final Set<String> SERVERS =
      Set.of(
          "Deployment",
          "StatefulSet",
          "DaemonSet",
          "ReplicaSet",
          "ReplicationController",
          "Rollout",
          "DeploymentConfig",
          "Pod");

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
  final Yaml spec;
  final Map<String, String> labels;
  final Map<String, String> annotations;
  final Yaml container;
  final Environment environment;
  final CommandLine commandLine;
  final GracePeriod gracePeriod;

  /** Whether the container shows that it has the library. */
  boolean hasLibrary;

  /** The plan within the Pod's own grace period, or an ample one; empty where it is refused. */
  Optional<ShutdownPlan> plan = Optional.empty();

  /** Whether a PodDisruptionBudget selects its Pods. */
  boolean hasBudget;

  private final Manifests manifests;
  private final Consumer<Finding> findings;
  private final List<String> ignored;
  private final List<String> noted = new ArrayList<>();

  private Workload(Yaml object, Yaml template, Manifests manifests, Consumer<Finding> findings) {
    this.object = object;
    this.manifests = manifests;
    this.findings = findings;
    spec = template.get("spec");
    labels = Selector.texts(template.get("metadata", "labels"));
    annotations = Selector.texts(template.get("metadata", "annotations"));
    ignored = List.of(object.get("metadata", "annotations", IGNORE).text("").split("[, ]+"));
    ServiceContainer chosen = ServiceContainer.choose(object, template, this::environment);
    container = chosen.container();
    hasLibrary = chosen.hasLibrary();
    environment = environment(container);
    commandLine = CommandLine.of(container, environment);
    gracePeriod = GracePeriod.of(spec.get("terminationGracePeriodSeconds"));
  }

  private Environment environment(Yaml of) {
    String namespace = Manifests.namespace(object);
    return new Environment(of, name -> manifests.find(namespace, name));
  }

  /** Returns the workload of an object; empty if it makes no Pods of its own. */
  static Optional<Workload> of(Yaml object, Manifests manifests, Consumer<Finding> findings) {
    boolean isMadeByAnother = !object.get("metadata", "ownerReferences").items().isEmpty();
    boolean isHook = object.get("metadata", "annotations", "helm.sh/hook").isPresent();
    Yaml template = template(object);
    return template.isPresent() && !isMadeByAnother && !isHook
        ? Optional.of(new Workload(object, template, manifests, findings))
        : Optional.empty();
  }

  private static Yaml template(Yaml object) {
    return switch (object.get("kind").text("")) {
      case "Deployment",
          "StatefulSet",
          "DaemonSet",
          "ReplicaSet",
          "ReplicationController",
          "Rollout",
          "DeploymentConfig",
          "Job" ->
          object.get("spec", "template");
      case "CronJob" -> object.get("spec", "jobTemplate", "spec", "template");
      case "Pod" -> object;
      default -> Yaml.absent(object.file, object.line);
    };
  }

  /** Returns whether objects of the kind are checked. */
  static boolean isKnown(Yaml object) {
    String kind = object.get("kind").text("");
    return SERVERS.contains(kind) || kind.equals("Job") || kind.equals("CronJob");
  }

  /** Reports something, unless the object's annotation says that it is meant. */
  @SuppressWarnings("AnnotateFormatMethod") // its annotation would be one more dependency
  void find(Rule rule, Yaml where, String message, Object... values) {
    if (!ignored.contains(rule.id())) {
      findings.accept(new Finding(rule, where.file, where.line, message.formatted(values)));
    }
  }

  /** Returns whether a setting may have a value that is not at hand, and says so once. */
  boolean isUnseen(String setting) {
    String variable = Plans.variable(setting);
    Optional<String> source = environment.unseen(variable);
    if (source.isPresent() && !noted.contains(setting)) {
      noted.add(setting);
      find(
          Rule.VALUE_UNSEEN,
          environment.where(variable).orElse(container.get("envFrom")),
          "%s %s from %s, which these files do not show: what depends on it is not judged",
          variable,
          environment.names().contains(variable) ? "comes" : "may come",
          source.get());
    }
    return source.isPresent();
  }

  /** Returns a setting's text in the plan; empty if it is off. */
  Optional<String> setting(String name) {
    return plan.stream()
        .flatMap(found -> found.values().stream())
        .filter(value -> value.name().equals(name) && !value.text().equals("off"))
        .map(PlanValue::text)
        .findFirst();
  }

  String kind() {
    return object.get("kind").text("");
  }

  String name() {
    return kind() + " " + object.get("metadata", "name").text("?");
  }

  boolean isServer() {
    return SERVERS.contains(kind());
  }

  boolean isJob() {
    return kind().equals("Job") || kind().equals("CronJob");
  }

  /** Returns the replicas that are there at the least; empty if the files do not say. */
  Optional<Integer> replicas() {
    return manifests
        .scaler(object)
        .map(scaler -> scaler.get("spec", "minReplicas").number().or(() -> minimum(scaler)))
        .orElseGet(() -> object.get("spec", "replicas").number());
  }

  /** Returns the replicas that are there at the most; empty if the files do not say. */
  Optional<Integer> mostReplicas() {
    return manifests
        .scaler(object)
        .map(
            scaler ->
                scaler
                    .get("spec", "maxReplicas")
                    .number()
                    .or(() -> scaler.get("spec", "maxReplicaCount").number()))
        .orElseGet(() -> object.get("spec", "replicas").number());
  }

  private static Optional<Integer> minimum(Yaml scaledObject) {
    return scaledObject.get("spec", "minReplicaCount").number().filter(count -> count > 0);
  }

  /** Returns the Pod's grace period in seconds. */
  int graceSeconds() {
    return gracePeriod.seconds();
  }

  /** Returns whether the image is known to have no shell. */
  boolean isWithoutShell() {
    String image = container.get("image").text("");
    return SHELLLESS.stream().anyMatch(image::contains)
        && Stream.of(":debug", "-debug", "-dev").noneMatch(image::endsWith);
  }
}
