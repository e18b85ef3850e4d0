package io.lastcall.manifests;

import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;

/** Whether the readiness probe follows the shutdown, and in time. */
final class ReadinessChecks {
  private static final int HOLD_IF_STILL_ROUTED = 10;

  /** The last is Spring Boot's aggregate, which has the readiness state in Kubernetes. */
  private static final String FOLLOWS =
      "//?readyz(\\?.*)?|.*/readiness/?(\\?.*)?|.*/actuator/health/?(\\?.*)?";

  private ReadinessChecks() {}

  static void check(Workload pod) {
    if (pod.isServer()) {
      checkProbe(pod, pod.container.get("readinessProbe"));
    }
  }

  private static void checkProbe(Workload pod, Yaml probe) {
    if (!probe.isPresent()) {
      pod.find(
          Rule.READINESS_ABSENT,
          pod.container,
          "container %s is sent requests before it listens; add readinessProbe: {httpGet: {path:"
              + " /readyz, port: N}}",
          pod.container.get("name").text("?"));
      return;
    }
    Yaml path = probe.get("httpGet", "path");
    if (probe.get("httpGet").isPresent() && !path.text("/").matches(FOLLOWS)) {
      pod.find(
          Rule.READINESS_PATH,
          path,
          "%s is not /readyz, nor a health group's .../readiness: it does not fail when the"
              + " shutdown fails readiness",
          path.text("/"));
    }
    Yaml tcp = probe.get("tcpSocket", "port");
    boolean isReadinessPort =
        pod.setting("readiness-port").filter(Probe.port(pod, tcp)::equals).isPresent();
    if (tcp.isPresent()
        && pod.plan.isPresent()
        && !isReadinessPort
        && !pod.isUnseen("readiness-port")) {
      pod.find(
          Rule.READINESS_TCP,
          tcp,
          "port %s opens until DRAIN ends, whatever readiness says; ask httpGet /readyz, or set"
              + " readiness-port",
          tcp.text("?"));
    }
    pod.plan.ifPresent(plan -> checkSpeed(pod, probe, plan));
  }

  private static void checkSpeed(Workload pod, Yaml probe, ShutdownPlan plan) {
    long notices = Probe.seconds(probe);
    boolean holdIsSet = !plan.value(Setting.READINESS_HOLD).isDefault();
    long waits =
        plan.readinessPolicy() == ReadinessPolicy.IMMEDIATE
            ? plan.keepServing().plus(plan.readinessHold()).toSeconds()
            : holdIsSet ? plan.readinessHold().toSeconds() : HOLD_IF_STILL_ROUTED;
    if (plan.readinessPolicy() != ReadinessPolicy.NEVER && notices > waits) {
      pod.find(
          Rule.READINESS_SLOW,
          probe,
          "periodSeconds %d x failureThreshold %d = %ds, and the service waits %ds after it fails"
              + " readiness: a container that ends without its Pod still gets requests then",
          Probe.period(probe),
          Probe.threshold(probe),
          notices,
          waits);
    }
  }
}
