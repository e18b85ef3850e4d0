package io.lastcall.manifests;

/** Whether old and new Pods can have their ports at the same time. */
final class NetworkChecks {
  private NetworkChecks() {}

  static void check(Workload pod) {
    Yaml host = pod.spec.get("hostNetwork");
    if (host.is("true")) {
      pod.find(
          Rule.HOST_NETWORK,
          host,
          "old and new Pod of a rollout want the same ports of a node, and HOSTNAME is the node's:"
              + " lastcall-kubernetes needs pod-name");
    }
    boolean surges =
        pod.kind().equals("Deployment")
            && !pod.object.get("spec", "strategy", "type").is("Recreate")
            && !pod.object
                .get("spec", "strategy", "rollingUpdate", "maxSurge")
                .text("1")
                .matches("0%?");
    for (Yaml port : pod.container.get("ports").items()) {
      if (port.get("hostPort").isPresent() && surges) {
        pod.find(
            Rule.HOST_PORT,
            port.get("hostPort"),
            "hostPort %s is taken until the old Pod is gone, and the new one waits for it: set"
                + " maxSurge: 0, or use a Service",
            port.get("hostPort").text(""));
      }
    }
  }
}
