package io.lastcall.manifests;

import java.util.Set;

/** Whether a proxy outlives the service that needs it. */
final class SidecarChecks {
  /** Arguments, variables and annotations by which a proxy waits at its own stop signal. */
  private static final Set<String> WAITS =
      Set.of(
          "EXIT_ON_ZERO_ACTIVE_CONNECTIONS",
          "terminationDrainDuration",
          "proxy-wait-before-exit-seconds",
          "term_timeout",
          "max-sigterm-delay",
          "CSQL_PROXY_MAX_SIGTERM_DELAY",
          "graceful-shutdown-seconds",
          "block-shutdown-duration");

  private SidecarChecks() {}

  static void check(Workload pod) {
    for (Yaml other : pod.spec.get("containers").items()) {
      if (ServiceContainer.isProxy(other) && other != pod.container && !waits(pod, other)) {
        pod.find(
            Rule.SIDECAR_DIES_FIRST,
            other,
            "container %s gets the stop signal together with the service and may be gone before the"
                + " drain ends; make it an initContainer with restartPolicy: Always",
            other.get("name").text("?"));
      }
    }
  }

  /** How long it waits is its own business. */
  private static boolean waits(Workload pod, Yaml proxy) {
    return proxy.get("lifecycle", "preStop").isPresent()
        || WAITS.stream()
            .anyMatch(
                word ->
                    proxy.get("args").texts().stream().anyMatch(text -> text.contains(word))
                        || proxy.get("command").texts().stream()
                            .anyMatch(text -> text.contains(word))
                        || proxy.get("env").items().stream()
                            .anyMatch(each -> each.get("name").is(word))
                        || pod.annotations.entrySet().stream()
                            .anyMatch(each -> (each.getKey() + each.getValue()).contains(word)));
  }
}
