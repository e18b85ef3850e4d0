package io.lastcall.manifests;

import java.util.List;

/** Whether replicas, rollouts and drains of nodes leave enough Pods to serve. */
final class RolloutChecks {
  private RolloutChecks() {}

  static void check(Workload pod) {
    if (pod.kind().equals("Deployment")) {
      checkStrategy(pod);
    }
    if (List.of("Deployment", "StatefulSet").contains(pod.kind())) {
      checkBudget(pod);
    }
    pod.ofKind("Service")
        .filter(service -> pod.isSelectedBy(service.get("spec", "selector")))
        .map(service -> service.get("spec", "publishNotReadyAddresses"))
        .filter(setting -> setting.is("true"))
        .forEach(
            setting ->
                pod.find(
                    Rule.SERVICE_IGNORES_READINESS,
                    setting,
                    "publishNotReadyAddresses: routers send to a Pod whatever its readiness says,"
                        + " before it listens and while it drains"));
  }

  private static void checkStrategy(Workload pod) {
    Yaml strategy = pod.object.get("spec", "strategy");
    if (strategy.get("type").is("Recreate")) {
      pod.find(
          Rule.STRATEGY_RECREATE,
          strategy.get("type"),
          "nothing serves from the end of the old Pods (up to %ds) until a new one is ready",
          pod.graceSeconds());
      return;
    }
    Yaml most = strategy.get("rollingUpdate", "maxUnavailable");
    // A percentage of replicas is rounded down.
    int taken = share(most.text("25%"), pod.replicas(), false);
    if (taken >= pod.replicas() && pod.replicas() > 0) {
      pod.find(
          Rule.ROLLOUT_TAKES_ALL,
          most,
          "maxUnavailable: %s of %d replicas is all of them; set maxUnavailable: 0 with maxSurge:"
              + " 1",
          most.text(""),
          pod.replicas());
    }
  }

  private static void checkBudget(Workload pod) {
    List<Yaml> budgets =
        pod.ofKind("PodDisruptionBudget")
            .filter(budget -> pod.isSelectedBy(budget.get("spec", "selector", "matchLabels")))
            .toList();
    if (budgets.isEmpty() && pod.replicas() > 1) {
      pod.find(
          Rule.PDB_ABSENT,
          pod.object,
          "no PodDisruptionBudget in these files selects the %d replicas; add one with"
              + " maxUnavailable: 1",
          pod.replicas());
    }
    for (Yaml budget : budgets) {
      Yaml unavailable = budget.get("spec", "maxUnavailable");
      Yaml available = budget.get("spec", "minAvailable");
      // A percentage is rounded up, by both.
      int allowed =
          unavailable.isPresent()
              ? share(unavailable.text(""), pod.replicas(), true)
              : pod.replicas() - share(available.text("1"), pod.replicas(), true);
      if (allowed <= 0 && pod.replicas() > 0) {
        pod.find(
            Rule.PDB_BLOCKS,
            unavailable.isPresent() ? unavailable : available,
            "of %d replicas none may be evicted: kubectl drain waits for ever; set maxUnavailable:"
                + " 1",
            pod.replicas());
      }
    }
  }

  /** Returns a number of replicas that is given as such, or in per cent. */
  private static int share(String text, int replicas, boolean up) {
    if (text.matches("\\d{1,4}%")) {
      int hundredths = Integer.parseInt(text.replace("%", "")) * replicas;
      return up ? (hundredths + 99) / 100 : hundredths / 100;
    }
    return text.matches("\\d{1,9}") ? Integer.parseInt(text) : 1;
  }
}
