package io.lastcall.manifests;

/** Whether an interrupted Job goes on, and what else interrupts it. */
final class JobChecks {
  private JobChecks() {}

  static void check(Workload pod) {
    if (!pod.isJob()) {
      return;
    }
    if (pod.environment.text("LASTCALL_CLEAN_EXIT_CODE").orElse("").equals("0")) {
      pod.find(
          Rule.JOB_EXITS_ZERO,
          pod.environment.where("LASTCALL_CLEAN_EXIT_CODE").orElse(pod.container),
          "a Pod of a %s that is interrupted exits with 0, and Kubernetes takes its work for done;"
              + " leave clean-exit-code unset",
          pod.kind());
    }
    Yaml policy = pod.object.get("spec", "concurrencyPolicy");
    if (policy.is("Replace")) {
      pod.find(
          Rule.JOB_STOPPED,
          policy,
          "a run that is not done at the next one's time gets the stop signal and %ds: hand its"
              + " work back, or set concurrencyPolicy: Forbid",
          pod.graceSeconds());
    }
    Yaml job = pod.kind().equals("CronJob") ? pod.object.get("spec", "jobTemplate") : pod.object;
    checkDeadline(pod, job.get("spec", "activeDeadlineSeconds"));
    checkDeadline(pod, pod.spec.get("activeDeadlineSeconds"));
  }

  private static void checkDeadline(Workload pod, Yaml deadline) {
    if (deadline.isPresent()) {
      pod.find(
          Rule.JOB_STOPPED,
          deadline,
          "after %ss a Pod gets the stop signal and %ds, and the Job has failed: it is not tried"
              + " again, whatever the exit code says of work that was handed back",
          deadline.text("?"),
          pod.graceSeconds());
    }
  }
}
