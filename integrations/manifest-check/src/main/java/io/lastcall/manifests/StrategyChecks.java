package io.lastcall.manifests;

import java.util.Map;

/** Whether a rollout leaves enough Pods to serve. */
final class StrategyChecks {
  /** Where each kind has the strategy that replaces Pods step by step. */
  private static final Map<String, String> STEPWISE =
      Map.of(
          "Deployment", "rollingUpdate", "Rollout", "canary", "DeploymentConfig", "rollingParams");

  private StrategyChecks() {}

  static void check(Workload pod) {
    String stepwise = STEPWISE.get(pod.kind());
    if (stepwise == null) {
      return;
    }
    Yaml strategy = pod.object.get("spec", "strategy");
    if (strategy.get("type").is("Recreate")) {
      pod.find(
          Rule.STRATEGY_RECREATE,
          strategy.get("type"),
          "nothing serves from the end of the old Pods (up to %ds) until a new one is ready",
          pod.graceSeconds());
    } else if (!strategy.get("blueGreen").isPresent()) {
      pod.replicas().ifPresent(replicas -> checkStep(pod, strategy.get(stepwise), replicas));
    }
  }

  private static void checkStep(Workload pod, Yaml step, int replicas) {
    Yaml most = step.get("maxUnavailable");
    // Of a percentage, what is unavailable is rounded down, and a surge up.
    int taken = Share.of(most.text("25%"), replicas, false);
    int surge = Share.of(step.get("maxSurge").text("25%"), replicas, true);
    if (taken == 0 && surge == 0) {
      taken = 1; // or nothing would ever go
    }
    if (taken >= replicas && replicas > 0) {
      pod.find(
          Rule.ROLLOUT_TAKES_ALL,
          most,
          "maxUnavailable: %s of %d replicas is all of them; set maxUnavailable: 0 with maxSurge:"
              + " 1",
          most.text("25%"),
          replicas);
    }
  }
}
