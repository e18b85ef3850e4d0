package io.lastcall.manifests;

import java.util.List;

/** Whether a probe can ask at all. */
final class ProbeChecks {
  private ProbeChecks() {}

  static void check(Workload pod) {
    for (String name : List.of("readinessProbe", "livenessProbe", "startupProbe")) {
      Yaml probe = pod.container.get(name);
      if (probe.isPresent()) {
        checkPort(pod, name, probe);
        checkExec(pod, name, probe);
      }
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
              || pod.setting("probe-port").filter(wanted::equals).isPresent()
              || pod.setting("readiness-port").filter(wanted::equals).isPresent();
      boolean isNumber = wanted.matches("\\d+");
      // Without any port declared, or without a plan, a number may be anything.
      if (port.isPresent()
          && !served
          && !(isNumber && (declared.isEmpty() || pod.plan.isEmpty()))
          && !(isNumber && (pod.isUnseen("probe-port") || pod.isUnseen("readiness-port")))) {
        pod.find(
            Rule.PROBE_PORT_UNSERVED,
            port,
            "the %s asks port %s; the container declares %s, and probe-port is %s",
            name,
            wanted,
            declared.stream().map(each -> each.get("containerPort").text("?")).toList(),
            pod.setting("probe-port").orElse("off"));
      }
    }
  }
}
