package io.lastcall.manifests;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether the process gets its stop signal. */
final class SignalChecks {
  private SignalChecks() {}

  static void check(Workload pod) {
    // A Java program behind a shell is a mistake whatever libraries it has.
    if (pod.hasLibrary || pod.commandLine.runsJava()) {
      pod.commandLine.deafShell().ifPresent(shell -> reportShell(pod, shell));
      checkReduced(pod);
    }
    if (pod.hasLibrary) {
      checkStopSignal(pod);
    }
  }

  private static void reportShell(Workload pod, String shell) {
    pod.find(
        Rule.SHELL_ENTRYPOINT,
        pod.container.get(pod.container.get("command").isPresent() ? "command" : "args"),
        "%s keeps the stop signal from the program it starts: SIGKILL comes after %ds without a"
            + " drain. Write exec in front of java, or command: [java, ...]",
        shell,
        pod.graceSeconds());
  }

  private static void checkReduced(Workload pod) {
    if (pod.commandLine.javaOptions().contains("-Xrs")) {
      pod.find(
          Rule.REDUCED_SIGNALS,
          pod.environment.where("JAVA_TOOL_OPTIONS").orElse(pod.container),
          "-Xrs: SIGTERM ends the JVM at once, or as PID 1 does nothing; remove it");
    }
  }

  private static void checkStopSignal(Workload pod) {
    Yaml signal = pod.container.get("lifecycle", "stopSignal");
    String name = signal.text("").toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
    Optional<List<String>> handled = pod.plan.map(plan -> plan.stopSignals());
    if (signal.isPresent()
        && handled.filter(signals -> !signals.contains(name)).isPresent()
        && !pod.isUnseen("stop-signals")) {
      pod.find(
          Rule.STOP_SIGNAL_DIFFERS,
          signal,
          "the kubelet sends %s, and stop-signals=%s; set LASTCALL_STOP_SIGNALS=%s",
          signal.text(""),
          String.join(",", handled.get()),
          name);
    }
  }
}
