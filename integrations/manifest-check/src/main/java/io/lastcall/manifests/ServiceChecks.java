package io.lastcall.manifests;

/** Whether Services send to Pods that are ready alone. */
final class ServiceChecks {
  private ServiceChecks() {}

  static void check(Manifests manifests) {
    manifests
        .ofKind("Service")
        .filter(service -> service.get("spec", "publishNotReadyAddresses").is("true"))
        .forEach(
            service ->
                manifests
                    .selected(service, Selector.ofLabels(service.get("spec", "selector")))
                    .forEach(pod -> checkOne(pod, service)));
  }

  private static void checkOne(Workload pod, Yaml service) {
    // The Service by which the Pods of a StatefulSet find each other.
    boolean isForPeers =
        service.get("spec", "clusterIP").is("None")
            && pod.object.get("spec", "serviceName").is(service.get("metadata", "name").text("?"));
    if (pod.hasLibrary && !isForPeers) {
      pod.find(
          Rule.SERVICE_IGNORES_READINESS,
          service.get("spec", "publishNotReadyAddresses"),
          "publishNotReadyAddresses: routers send to a Pod whatever its readiness says, before it"
              + " listens and while it drains");
    }
  }
}
