package io.lastcall.manifests;

import java.time.Duration;

/** Fields of a probe, with Kubernetes' defaults. */
final class Probe {
  private Probe() {}

  static int period(Yaml probe) {
    return probe.get("periodSeconds").number(10);
  }

  static int threshold(Yaml probe) {
    return probe.get("failureThreshold").number(3);
  }

  /** Returns how long it takes to notice. */
  static long seconds(Yaml probe) {
    return Duration.ofSeconds(period(probe)).multipliedBy(threshold(probe)).toSeconds();
  }

  /** Returns the number of a port that may be given by its name. */
  static String port(Workload pod, Yaml port) {
    return pod.container.get("ports").items().stream()
        .filter(each -> port.isPresent() && each.get("name").is(port.text("")))
        .map(each -> each.get("containerPort").text(""))
        .findFirst()
        .orElse(port.text(""));
  }
}
