package io.lastcall.manifests;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Says what was not checked, so that no finding does not mean more than it does. */
final class CoverageChecks {
  private CoverageChecks() {}

  /** A resource of an unknown kind with a template of Pods in it. */
  static void checkKind(Yaml object, Consumer<Finding> findings) {
    if (!Workload.isKnown(object) && hasTemplate(object.get("spec"))) {
      findings.accept(
          new Finding(
              Rule.KIND_UNCHECKED,
              object.file,
              object.get("kind").line,
              "kind %s of %s is not checked, and it has a template of Pods"
                  .formatted(object.get("kind").text("?"), object.get("apiVersion").text("?"))));
    }
  }

  /** A value that several aliases stand for is looked at once. */
  private static boolean hasTemplate(Yaml object) {
    Deque<Yaml> left = new ArrayDeque<>(List.of(object));
    Set<Yaml> seen = new HashSet<>();
    while (!left.isEmpty()) {
      Yaml value = left.remove();
      if (value.get("template", "spec", "containers").items().stream()
          .anyMatch(container -> container.get("image").isPresent())) {
        return true;
      }
      Stream.concat(value.members().values().stream(), value.items().stream())
          .filter(seen::add)
          .forEach(left::add);
    }
    return false;
  }

  /** One note for all workloads: who knows which has the library can say so there. */
  static void checkLibrary(Manifests manifests) {
    List<Workload> workloads = manifests.workloads();
    boolean isSeen = workloads.stream().anyMatch(pod -> pod.hasLibrary);
    Optional<Workload> first =
        workloads.stream()
            .filter(pod -> !pod.hasLibrary)
            .filter(pod -> looksLikeJava(pod))
            .findFirst()
            .or(() -> isSeen ? Optional.empty() : workloads.stream().findFirst());
    first.ifPresent(
        pod ->
            pod.find(
                Rule.LIBRARY_UNSEEN,
                pod.container,
                "which container has the library? None of %s shows it (LASTCALL_*, -Dlastcall.*,"
                    + " the agent), so that its rules were left out%s. If one has it, name it by the"
                    + " annotation lastcall.io/container",
                pod.name(),
                isSeen ? "" : ", here and in all these files"));
  }

  private static boolean looksLikeJava(Workload pod) {
    return pod.commandLine.runsJava()
        || pod.environment.names().stream()
            .anyMatch(
                name ->
                    name.equals("JAVA_TOOL_OPTIONS")
                        || name.equals("JDK_JAVA_OPTIONS")
                        || name.startsWith("SPRING_"))
        || pod.container.get("readinessProbe", "httpGet", "path").text("").contains("/actuator/");
  }
}
