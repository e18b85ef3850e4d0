package io.lastcall.manifests;

import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;

/** Whether the liveness probe lets a slow start, a slow answer and the drain live. */
final class LivenessChecks {
  private static final int SLOW_START = 60;
  private static final String READINESS = "//?readyz(\\?.*)?|.*/readiness/?(\\?.*)?";
  private static final String AGGREGATE = ".*/actuator/health/?(\\?.*)?";

  private LivenessChecks() {}

  static void check(Workload pod) {
    Yaml probe = pod.container.get("livenessProbe");
    if (probe.isPresent()) {
      checkPath(pod, probe);
      checkPatience(pod, probe);
      checkGracePeriod(pod, probe);
      checkStart(pod, probe);
    }
  }

  private static void checkPath(Workload pod, Yaml probe) {
    Yaml path = probe.get("httpGet", "path");
    boolean isAggregate = path.text("").matches(AGGREGATE);
    if (pod.plan.isEmpty() || !(isAggregate || path.text("").matches(READINESS))) {
      return;
    }
    ShutdownPlan plan = pod.plan.get();
    pod.find(
        Rule.LIVENESS_KILLS_DRAIN,
        path,
        "%s fails %ds after the trigger, so that the container is killed after %ds more (%d x"
            + " %ds), and when %s; ask for /livez",
        path.text(""),
        plan.readinessPolicy() == ReadinessPolicy.IMMEDIATE ? 0 : plan.keepServing().toSeconds(),
        Probe.seconds(probe),
        Probe.period(probe),
        Probe.threshold(probe),
        isAggregate ? "anything that it needs is down" : "it is only not ready");
  }

  private static void checkPatience(Workload pod, Yaml probe) {
    if (Probe.threshold(probe) == 1) {
      pod.find(
          Rule.LIVENESS_IMPATIENT,
          probe.get("failureThreshold"),
          "one answer that takes longer than %ds restarts the container; let failureThreshold be 3",
          probe.get("timeoutSeconds").number(1));
    }
  }

  private static void checkGracePeriod(Workload pod, Yaml probe) {
    int grace = probe.get("terminationGracePeriodSeconds").number(pod.graceSeconds());
    if (grace < pod.graceSeconds()) {
      pod.find(
          Rule.LIVENESS_GRACE_PERIOD,
          probe.get("terminationGracePeriodSeconds"),
          "a container that fails liveness is killed after %ds, and the plan counts on %ds",
          grace,
          pod.graceSeconds());
    }
  }

  private static void checkStart(Workload pod, Yaml probe) {
    long patience = probe.get("initialDelaySeconds").number(0) + Probe.seconds(probe);
    if (!pod.container.get("startupProbe").isPresent() && patience < SLOW_START) {
      pod.find(
          Rule.STARTUP_ABSENT,
          probe,
          "a start that takes longer than %ds (initialDelaySeconds %d + %d x %ds) is ended, again"
              + " and again; add a startupProbe that asks for /startupz",
          patience,
          probe.get("initialDelaySeconds").number(0),
          Probe.threshold(probe),
          Probe.period(probe));
    }
  }
}
