package io.lastcall.manifests;

/** Whether an interrupted Job goes on. */
final class JobChecks {
  private JobChecks() {}

  static void check(Workload pod) {
    if (pod.isJob() && pod.environment.text("LASTCALL_CLEAN_EXIT_CODE").orElse("").equals("0")) {
      pod.find(
          Rule.JOB_EXITS_ZERO,
          pod.environment.where("LASTCALL_CLEAN_EXIT_CODE").orElse(pod.container),
          "a Pod of a %s that is interrupted exits with 0, and Kubernetes takes its work for done;"
              + " leave clean-exit-code unset",
          pod.kind());
    }
  }
}
