package io.lastcall.manifests;

import java.util.List;
import java.util.Optional;

/** Whether drains of nodes leave enough Pods to serve, and are possible at all. */
final class BudgetChecks {
  private static final List<String> COUNTED =
      List.of(
          "Deployment",
          "StatefulSet",
          "ReplicaSet",
          "ReplicationController",
          "Rollout",
          "DeploymentConfig");

  private BudgetChecks() {}

  static void check(Manifests manifests) {
    manifests
        .ofKind("PodDisruptionBudget")
        .forEach(
            budget -> {
              Selector selector = Selector.of(budget.get("spec", "selector"));
              List<Workload> covered = manifests.selected(budget, selector);
              covered.forEach(pod -> pod.hasBudget = true);
              checkBudget(budget, covered);
            });
    for (Workload pod : manifests.workloads()) {
      int replicas = pod.replicas().orElse(0);
      if (pod.hasLibrary && COUNTED.contains(pod.kind()) && !pod.hasBudget && replicas > 1) {
        pod.find(
            Rule.PDB_ABSENT,
            pod.object,
            "no PodDisruptionBudget in these files selects the %d replicas; add one with"
                + " maxUnavailable: 1",
            replicas);
      }
    }
  }

  /** A budget that nobody can keep harms all who drain a node, whatever the Pods run. */
  private static void checkBudget(Yaml budget, List<Workload> covered) {
    List<Optional<Integer>> counts =
        covered.stream()
            .map(pod -> COUNTED.contains(pod.kind()) ? pod.replicas() : Optional.<Integer>empty())
            .toList();
    Yaml unavailable = budget.get("spec", "maxUnavailable");
    Yaml limit = unavailable.isPresent() ? unavailable : budget.get("spec", "minAvailable");
    if (!limit.isPresent() || counts.isEmpty() || !counts.stream().allMatch(Optional::isPresent)) {
      return;
    }
    int replicas = counts.stream().mapToInt(Optional::get).sum();
    // A percentage is rounded up, by both.
    int share = Share.of(limit.text(""), replicas, true);
    int allowed = unavailable.isPresent() ? share : replicas - share;
    if (allowed <= 0 && replicas > 0) {
      covered
          .get(0)
          .find(
              Rule.PDB_BLOCKS,
              limit,
              "of %d replicas none may be evicted: kubectl drain waits for ever; set"
                  + " maxUnavailable: 1",
              replicas);
    }
  }
}
