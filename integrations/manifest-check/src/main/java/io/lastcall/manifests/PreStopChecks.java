package io.lastcall.manifests;

import io.lastcall.plan.ShutdownPlan;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the preStop hook does to the plan. */
final class PreStopChecks {
  private static final Pattern SLEEP = Pattern.compile("\\bsleep +(\\d{1,6})\\b");

  private PreStopChecks() {}

  static void check(Workload pod) {
    Yaml hook = pod.preStop();
    if (!hook.isPresent()) {
      return;
    }
    checkSleep(pod, hook);
    Yaml exec = hook.get("exec", "command");
    if (exec.isPresent() && pod.isWithoutShell()) {
      pod.find(
          Rule.PRE_STOP_WITHOUT_SHELL,
          exec,
          "image %s has no %s: the hook fails at once; write preStop: {sleep: {seconds: N}}",
          pod.container.get("image").text(""),
          exec.items().stream().findFirst().map(program -> program.text("")).orElse("program"));
    }
    Yaml path = hook.get("httpGet", "path");
    if (path.text("").startsWith("/prestop")
        && !pod.environment.containsKey("LASTCALL_PRE_STOP_TOKEN")
        && pod.plan.filter(plan -> plan.preStopToken().isSet()).isEmpty()) {
      pod.find(
          Rule.PRE_STOP_WITHOUT_TOKEN,
          path,
          "%s is answered with 404, since pre-stop-token is off: set LASTCALL_PRE_STOP_TOKEN",
          path.text(""));
    }
  }

  private static void checkSleep(Workload pod, Yaml hook) {
    Duration sleep = Duration.ofSeconds(sleepSeconds(hook));
    if (pod.plan.isEmpty() || sleep.compareTo(pod.plan.get().preStopDelay()) <= 0) {
      return;
    }
    ShutdownPlan plan = pod.plan.get();
    // The kubelet's least time between the stop signal and SIGKILL is 2 s.
    Duration left = Duration.ofSeconds(Math.max(2, pod.graceSeconds() - sleep.toSeconds()));
    pod.find(
        Rule.PRE_STOP_UNDECLARED,
        hook,
        "the hook takes %ds of %ds, so that SIGKILL comes %ds after the stop signal; the plan"
            + " counts on %ds. Remove the hook, or set pre-stop-delay=%ds",
        sleep.toSeconds(),
        pod.graceSeconds(),
        left.toSeconds(),
        pod.graceSeconds() - plan.preStopDelay().toSeconds(),
        sleep.toSeconds());
  }

  private static long sleepSeconds(Yaml hook) {
    List<String> words =
        hook.get("exec", "command").items().stream().map(word -> word.text("")).toList();
    Matcher sleep = SLEEP.matcher(String.join(" ", words));
    return hook.get("sleep", "seconds").number(sleep.find() ? Integer.parseInt(sleep.group(1)) : 0);
  }
}
