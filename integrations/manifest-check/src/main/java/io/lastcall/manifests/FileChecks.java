package io.lastcall.manifests;

import io.lastcall.plan.PlanValue;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** Whether the report and readiness get into their files. */
final class FileChecks {
  private static final String MESSAGE = "/dev/termination-log";

  private FileChecks() {}

  static void check(Workload pod) {
    checkMessage(pod);
    checkFiles(pod);
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
}
