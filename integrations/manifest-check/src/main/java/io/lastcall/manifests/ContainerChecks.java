package io.lastcall.manifests;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.ShutdownPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Whether the process gets its signal, its files, and enough of the node. */
final class ContainerChecks {
  private static final List<String> SHELLS = List.of("sh", "bash", "dash", "ash");
  private static final String MESSAGE = "/dev/termination-log";

  /** In thousandths of a CPU: below, a JVM's exit and its last log lines take seconds. */
  private static final double LEAST_CPU = 250;

  private static final List<String> PROXIES =
      List.of(
          "istio-proxy",
          "envoy",
          "linkerd-proxy",
          "cloud-sql-proxy",
          "cloudsql-proxy",
          "daprd",
          "consul-dataplane",
          "kuma-sidecar",
          "pgbouncer",
          "vault-agent");

  private ContainerChecks() {}

  static void check(Workload pod) {
    checkSignals(pod);
    checkMessage(pod);
    checkFiles(pod);
    checkResources(pod);
    checkNetwork(pod);
    checkSidecars(pod);
    Yaml code = pod.environment.get("LASTCALL_CLEAN_EXIT_CODE");
    if (pod.isJob() && code != null && code.is("0")) {
      pod.find(
          Rule.JOB_EXITS_ZERO,
          code,
          "a Pod of a %s that is interrupted exits with 0, and Kubernetes takes its work for done;"
              + " leave clean-exit-code unset",
          pod.kind());
    }
  }

  private static void checkSignals(Workload pod) {
    List<String> command = pod.commandLine();
    int script = command.indexOf("-c") + 1;
    boolean isShell = !command.isEmpty() && SHELLS.contains(command.get(0).replaceFirst(".*/", ""));
    if (isShell && script > 0 && script < command.size()) {
      String text = command.get(script);
      if (text.lines().noneMatch(line -> line.matches("(.*[;&]\\s*)?\\s*exec\\s.*"))) {
        pod.find(
            Rule.SHELL_ENTRYPOINT,
            pod.container.get("command"),
            "%s is PID 1 and does not pass the stop signal on: SIGKILL comes after %ds without a"
                + " drain. Write exec in front of java, or command: [java, ...]",
            command.get(0),
            pod.graceSeconds());
      }
    }
    Yaml signal = pod.container.get("lifecycle", "stopSignal");
    String name = signal.text("").toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
    Optional<ShutdownPlan> deaf =
        pod.plan.filter(plan -> signal.isPresent() && !plan.stopSignals().contains(name));
    deaf.ifPresent(
        plan ->
            pod.find(
                Rule.STOP_SIGNAL_DIFFERS,
                signal,
                "the kubelet sends %s, and stop-signals=%s; set LASTCALL_STOP_SIGNALS=%s",
                signal.text(""),
                String.join(",", plan.stopSignals()),
                name));
    if (pod.javaOptions().contains("-Xrs")) {
      pod.find(
          Rule.REDUCED_SIGNALS,
          Optional.ofNullable(pod.environment.get("JAVA_TOOL_OPTIONS")).orElse(pod.container),
          "-Xrs: SIGTERM ends the JVM at once, or as PID 1 does nothing; remove it");
    }
  }

  private static void checkMessage(Workload pod) {
    Yaml path = pod.container.get("terminationMessagePath");
    if (path.isPresent() && !path.is(MESSAGE)) {
      pod.find(
          Rule.TERMINATION_MESSAGE_PATH,
          path,
          "the report goes to %s, and the kubelet reads %s",
          MESSAGE,
          path.text(""));
    }
    Yaml policy = pod.container.get("terminationMessagePolicy");
    if (!policy.is("FallbackToLogsOnError")) {
      pod.find(
          Rule.TERMINATION_MESSAGE_POLICY,
          policy.isPresent() ? policy : pod.container,
          "terminationMessagePolicy: %s; FallbackToLogsOnError shows the last lines of the log"
              + " where the process could not write a message",
          policy.text("File"));
    }
  }

  private static void checkFiles(Workload pod) {
    if (!pod.container.get("securityContext", "readOnlyRootFilesystem").is("true")) {
      return;
    }
    List<String> mounts =
        pod.container.get("volumeMounts").items().stream()
            .filter(mount -> !mount.get("readOnly").is("true"))
            .map(mount -> mount.get("mountPath").text("?"))
            .toList();
    pod.plan.stream()
        .flatMap(plan -> plan.values().stream())
        .filter(value -> List.of("report-file", "readiness-file").contains(value.name()))
        .filter(value -> !value.text().equals("off") && mounts.stream().noneMatch(on(value)))
        .forEach(
            value ->
                pod.find(
                    Rule.FILE_UNWRITABLE,
                    pod.container.get("securityContext", "readOnlyRootFilesystem"),
                    "%s=%s is on the root, which is read-only; writable are %s",
                    value.name(),
                    value.text(),
                    mounts));
  }

  private static Predicate<String> on(PlanValue<?> file) {
    return mount -> Path.of(file.text()).startsWith(Path.of(mount));
  }

  private static void checkResources(Workload pod) {
    Yaml limits = pod.container.get("resources", "limits");
    if (!limits.get("memory").isPresent()) {
      pod.find(
          Rule.MEMORY_LIMIT_ABSENT,
          pod.container,
          "container %s has no memory limit: the JVM takes a quarter of the node, and the kubelet"
              + " evicts it with 1s of notice",
          pod.container.get("name").text("?"));
    }
    double cpu = thousandths(limits.get("cpu").text(""));
    if (cpu > 0 && cpu < LEAST_CPU) {
      pod.find(
          Rule.CPU_LIMIT_SMALL,
          limits.get("cpu"),
          "with %s of a CPU the exit may take longer than exit-timeout=%s; allow 250m or more, or"
              + " no limit",
          limits.get("cpu").text(""),
          pod.plan.map(plan -> plan.exitTimeout().toMillis() + "ms").orElse("1s"));
    }
  }

  private static double thousandths(String cpu) {
    if (!cpu.matches("\\d{1,9}(\\.\\d{1,9})?m?")) {
      return 0;
    }
    return cpu.endsWith("m")
        ? Double.parseDouble(cpu.substring(0, cpu.length() - 1))
        : Double.parseDouble(cpu) * 1_000;
  }

  private static void checkNetwork(Workload pod) {
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

  private static void checkSidecars(Workload pod) {
    for (Yaml other : pod.spec.get("containers").items()) {
      String image = other.get("image").text("").replaceFirst("[:@].*", "");
      boolean isProxy =
          Stream.concat(
                  Stream.of(other.get("name").text("")), Stream.of(image.replaceFirst(".*/", "")))
              .anyMatch(PROXIES::contains);
      if (isProxy && !other.equals(pod.container)) {
        pod.find(
            Rule.SIDECAR_DIES_FIRST,
            other,
            "container %s gets the stop signal together with the service and may be gone before the"
                + " drain ends; make it an initContainer with restartPolicy: Always",
            other.get("name").text("?"));
      }
    }
  }
}
