package io.lastcall.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The command line of a process that is broken. */
final class Command {
  /** SIGTERM to SIGKILL. */
  static final Duration GRACE = Duration.ofSeconds(10);

  /** How long routers send. */
  static final Duration PROPAGATION = Duration.ofSeconds(2);

  private Command() {}

  static List<String> of(Fault fault, Path folder, int control) {
    List<String> shell = new ArrayList<>(List.of("F='" + folder + "'"));
    if (Namespaces.areThere()) {
      shell.add(Namespaces.OWN_DEV);
    }
    shell.addAll(fault.shell);
    shell.add("exec \"$@\"");
    List<String> command = new ArrayList<>(Namespaces.prefix(fault.pidOne));
    command.addAll(List.of("/bin/sh", "-c", String.join("\n", shell), "sh"));
    command.addAll(java(fault, folder, control));
    return command;
  }

  private static List<String> java(Fault fault, Path folder, int control) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx64m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto"));
    command.addAll(fault.options);
    command.add("-Djava.io.tmpdir=" + folder);
    command.add("-Dorg.slf4j.simpleLogger.showDateTime=true");
    command.add("-Dfaults.control=" + control);
    command.add("-Dfaults.server=" + fault.server);
    command.add("-Dfaults.broken=" + fault.places());
    command.add("-Dlastcall.grace-period=" + GRACE.toMillis() + "ms");
    if (fault.server != Fault.Server.NONE) {
      command.add("-Dlastcall.propagation-delay=" + PROPAGATION.toMillis() + "ms");
    }
    command.add("-Dlastcall.report-file=" + folder.resolve("report.json"));
    fault.properties.forEach(each -> command.add(each.replace("$F", folder.toString())));
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add("io.lastcall.faults.subject.Subject");
    return command;
  }
}
