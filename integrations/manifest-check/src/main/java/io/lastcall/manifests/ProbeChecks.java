package io.lastcall.manifests;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Whether probes ask for what is there, and in time. */
final class ProbeChecks {
  private static final int HOLD_IF_STILL_ROUTED = 10;
  private static final int SLOW_START = 60;

  private ProbeChecks() {}

  static void check(Workload pod) {
    for (String name : List.of("readinessProbe", "livenessProbe", "startupProbe")) {
      Yaml probe = pod.container.get(name);
      if (probe.isPresent()) {
        checkPort(pod, name, probe);
        checkExec(pod, name, probe);
      }
    }
    checkLiveness(pod, pod.container.get("livenessProbe"));
    if (pod.isServer()) {
      checkReadiness(pod, pod.container.get("readinessProbe"));
    }
  }

  private static void checkReadiness(Workload pod, Yaml probe) {
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
    boolean follows =
        path.text("/").matches("//?readyz(\\?.*)?") || path.text("/").matches(".*/readiness/?");
    if (probe.get("httpGet").isPresent() && !follows) {
      pod.find(
          Rule.READINESS_PATH,
          path,
          "%s is not /readyz, nor a health group's .../readiness: it does not fail when the"
              + " shutdown fails readiness",
          path.text("/"));
    }
    Yaml tcp = probe.get("tcpSocket", "port");
    boolean isReadinessPort =
        setting(pod, "readiness-port").filter(number(pod, tcp)::equals).isPresent();
    if (tcp.isPresent() && pod.plan.isPresent() && !isReadinessPort) {
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
    long notices = seconds(probe);
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
          period(probe),
          threshold(probe),
          notices,
          waits);
    }
  }

  private static void checkLiveness(Workload pod, Yaml probe) {
    if (!probe.isPresent()) {
      return;
    }
    Yaml path = probe.get("httpGet", "path");
    boolean isReadiness =
        path.text("").matches("//?readyz(\\?.*)?") || path.text("").endsWith("/readiness");
    if (isReadiness && pod.plan.isPresent()) {
      ShutdownPlan plan = pod.plan.get();
      pod.find(
          Rule.LIVENESS_KILLS_DRAIN,
          path,
          "%s fails %ds after the trigger, so that the container is killed after %ds more (%d x"
              + " %ds), and when it is only not ready; ask for /livez",
          path.text(""),
          plan.readinessPolicy() == ReadinessPolicy.IMMEDIATE ? 0 : plan.keepServing().toSeconds(),
          seconds(probe),
          period(probe),
          threshold(probe));
    }
    if (threshold(probe) == 1) {
      pod.find(
          Rule.LIVENESS_IMPATIENT,
          probe.get("failureThreshold"),
          "one answer that takes longer than %ds restarts the container; let failureThreshold be 3",
          probe.get("timeoutSeconds").number(1));
    }
    int grace = probe.get("terminationGracePeriodSeconds").number(pod.graceSeconds());
    if (grace < pod.graceSeconds()) {
      pod.find(
          Rule.LIVENESS_GRACE_PERIOD,
          probe.get("terminationGracePeriodSeconds"),
          "a container that fails liveness is killed after %ds, and the plan counts on %ds",
          grace,
          pod.graceSeconds());
    }
    long patience = probe.get("initialDelaySeconds").number(0) + seconds(probe);
    if (!pod.container.get("startupProbe").isPresent() && patience < SLOW_START) {
      pod.find(
          Rule.STARTUP_ABSENT,
          probe,
          "a start that takes longer than %ds (initialDelaySeconds %d + %d x %ds) is ended, again"
              + " and again; add a startupProbe that asks for /startupz",
          patience,
          probe.get("initialDelaySeconds").number(0),
          threshold(probe),
          period(probe));
    }
  }

  private static void checkExec(Workload pod, String name, Yaml probe) {
    Yaml command = probe.get("exec", "command");
    if (command.isPresent() && pod.isWithoutShell()) {
      pod.find(
          Rule.PROBE_WITHOUT_SHELL,
          command,
          "image %s has no %s: the %s always fails",
          pod.container.get("image").text(""),
          command.items().stream().findFirst().map(program -> program.text("")).orElse("program"),
          name);
    }
  }

  /** Returns the number of a port that may be given by its name. */
  private static String number(Workload pod, Yaml port) {
    return pod.container.get("ports").items().stream()
        .filter(each -> port.isPresent() && each.get("name").is(port.text("")))
        .map(each -> each.get("containerPort").text(""))
        .findFirst()
        .orElse(port.text(""));
  }

  /** A port counts as served if the container declares it, or a setting opens it. */
  private static void checkPort(Workload pod, String name, Yaml probe) {
    List<Yaml> declared = pod.container.get("ports").items();
    for (String mechanism : List.of("httpGet", "tcpSocket", "grpc")) {
      Yaml port = probe.get(mechanism, "port");
      String wanted = port.text("");
      boolean served =
          declared.stream()
                  .anyMatch(
                      each -> each.get("name").is(wanted) || each.get("containerPort").is(wanted))
              || setting(pod, "probe-port").filter(wanted::equals).isPresent()
              || setting(pod, "readiness-port").filter(wanted::equals).isPresent();
      boolean isNumber = wanted.matches("\\d+");
      // Without any port declared, or without a plan, a number may be anything.
      if (port.isPresent()
          && !served
          && !(isNumber && (declared.isEmpty() || pod.plan.isEmpty()))) {
        pod.find(
            Rule.PROBE_PORT_UNSERVED,
            port,
            "the %s asks port %s; the container declares %s, and probe-port is %s",
            name,
            wanted,
            declared.stream().map(each -> each.get("containerPort").text("?")).toList(),
            setting(pod, "probe-port").orElse("off"));
      }
    }
  }

  private static Optional<String> setting(Workload pod, String name) {
    return pod.plan.stream()
        .flatMap(plan -> plan.values().stream())
        .filter(value -> value.name().equals(name) && !value.text().equals("off"))
        .map(PlanValue::text)
        .findFirst();
  }

  private static int period(Yaml probe) {
    return probe.get("periodSeconds").number(10);
  }

  private static int threshold(Yaml probe) {
    return probe.get("failureThreshold").number(3);
  }

  private static long seconds(Yaml probe) {
    return Duration.ofSeconds(period(probe)).multipliedBy(threshold(probe)).toSeconds();
  }
}
