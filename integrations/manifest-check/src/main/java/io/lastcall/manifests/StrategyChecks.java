package io.lastcall.manifests;

import java.util.Map;
import java.util.Optional;

/** Whether a rollout leaves enough Pods to serve. */
final class StrategyChecks {
  /** Where each kind has the strategy that replaces Pods step by step. */
  private static final Map<String, String> STEPWISE =
      Map.of(
          "Deployment", "rollingUpdate",
          "Rollout", "canary",
          "DeploymentConfig", "rollingParams");

  private StrategyChecks() {}

  static void check(Workload pod) {
    Yaml type = pod.object.get("spec", "strategy", "type");
    if (type.is("Recreate")) {
      pod.find(
          Rule.STRATEGY_RECREATE,
          type,
          "nothing serves from the end of the old Pods (up to %ds) until a new one is ready",
          pod.graceSeconds());
    }
    stepwise(pod)
        .ifPresent(step -> pod.replicas().ifPresent(replicas -> checkStep(pod, step, replicas)));
    Yaml update = pod.object.get("spec", "updateStrategy");
    if (pod.kind().equals("StatefulSet") && pod.replicas().equals(Optional.of(1))) {
      pod.find(
          Rule.STRATEGY_RECREATE,
          pod.object.get("spec", "replicas"),
          "a StatefulSet ends a Pod before its successor starts: of one replica nothing serves"
              + " meanwhile (up to %ds, and a start)",
          pod.graceSeconds());
    }
    if (pod.kind().equals("DaemonSet") && !update.get("type").is("OnDelete")) {
      checkNodes(pod, update.get("rollingUpdate"));
    }
  }

  /** Returns the strategy of a workload that makes new Pods before it has ended the old ones. */
  static Optional<Yaml> stepwise(Workload pod) {
    Yaml strategy = pod.object.get("spec", "strategy");
    boolean isOther = strategy.get("type").is("Recreate") || strategy.get("blueGreen").isPresent();
    return Optional.ofNullable(STEPWISE.get(pod.kind()))
        .filter(name -> !isOther)
        .map(name -> strategy.get(name));
  }

  static int surge(Yaml step, int replicas) {
    return Share.of(step.get("maxSurge").text("25%"), replicas, true);
  }

  /** Returns how many Pods may be missing; of a percentage, that is rounded down. */
  static int taken(Yaml step, int replicas) {
    int taken = Share.of(step.get("maxUnavailable").text("25%"), replicas, false);
    return taken == 0 && surge(step, replicas) == 0 ? 1 : taken; // or nothing would ever go
  }

  private static void checkStep(Workload pod, Yaml step, int replicas) {
    if (taken(step, replicas) >= replicas && replicas > 0) {
      pod.find(
          Rule.ROLLOUT_TAKES_ALL,
          step.get("maxUnavailable"),
          "maxUnavailable: %s of %d replicas is all of them; set maxUnavailable: 0 with maxSurge:"
              + " 1",
          step.get("maxUnavailable").text("25%"),
          replicas);
    }
  }

  private static void checkNodes(Workload pod, Yaml step) {
    boolean surges = !step.get("maxSurge").text("0").matches("0%?");
    boolean sharesPorts =
        pod.spec.get("hostNetwork").is("true")
            || pod.container.get("ports").items().stream()
                .anyMatch(port -> port.get("hostPort").isPresent());
    if (!surges && !sharesPorts) {
      pod.find(
          Rule.DAEMON_SET_GAP,
          step.isPresent() ? step : pod.object,
          "in a rollout a node has no Pod from the end of the old one (up to %ds) until the new"
              + " one is ready; set maxSurge: 1 with maxUnavailable: 0 (Kubernetes 1.22)",
          pod.graceSeconds());
    }
  }
}
