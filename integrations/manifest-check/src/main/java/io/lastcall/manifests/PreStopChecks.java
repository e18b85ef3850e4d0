package io.lastcall.manifests;

import io.lastcall.plan.ShutdownPlan;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the preStop hook does to the plan. */
final class PreStopChecks {
  private static final Pattern TIME =
      Pattern.compile("(\\d{1,6}(?:\\.\\d{0,3})?|\\.\\d{1,3})([smhd]?)");

  private PreStopChecks() {}

  static void check(Workload pod) {
    Yaml hook = pod.container.get("lifecycle", "preStop");
    if (!hook.isPresent()) {
      return;
    }
    Yaml exec = hook.get("exec", "command");
    checkSleep(pod, hook, exec);
    if (exec.isPresent() && pod.isWithoutShell()) {
      pod.find(
          Rule.PRE_STOP_WITHOUT_SHELL,
          exec,
          "image %s has no %s: the hook fails at once; write preStop: {sleep: {seconds: N}}",
          pod.container.get("image").text(""),
          exec.texts().stream().findFirst().orElse("program"));
    }
    checkToken(pod, hook.get("httpGet", "path"), exec);
  }

  private static void checkToken(Workload pod, Yaml path, Yaml exec) {
    boolean asks =
        path.text("").matches("/*prestop([/?].*)?")
            || exec.texts().stream().anyMatch(word -> word.matches("(?s).*://\\S+/prestop\\b.*"));
    if (asks
        && pod.plan.filter(plan -> plan.preStopToken().isSet()).isEmpty()
        && !pod.isUnseen("pre-stop-token")) {
      pod.find(
          Rule.PRE_STOP_WITHOUT_TOKEN,
          path.isPresent() ? path : exec,
          "%s is answered with 404, since pre-stop-token is off: set LASTCALL_PRE_STOP_TOKEN",
          path.text("/prestop"));
    }
  }

  private static void checkSleep(Workload pod, Yaml hook, Yaml exec) {
    if (pod.plan.isEmpty()) {
      return;
    }
    Duration sleep = Duration.ofSeconds(hook.get("sleep", "seconds").number(0));
    for (String time : sleeps(pod, exec)) {
      Matcher parts = TIME.matcher(time);
      if (parts.matches()) {
        sleep = sleep.plus(duration(parts));
      } else {
        reportUnknown(pod, exec, time);
      }
    }
    ShutdownPlan plan = pod.plan.get();
    if (sleep.compareTo(plan.preStopDelay()) > 0 && !pod.isUnseen("pre-stop-delay")) {
      report(pod, hook, sleep, plan);
    }
  }

  /** Returns the arguments of each sleep; each adds to the time. */
  private static List<String> sleeps(Workload pod, Yaml exec) {
    return CommandLine.ofHook(exec, pod.environment).commands().stream()
        .flatMap(
            command ->
                command.stream().dropWhile(word -> !CommandLine.name(word).equals("sleep")).skip(1))
        .toList();
  }

  private static Duration duration(Matcher time) {
    int unit =
        switch (time.group(2)) {
          case "m" -> 60;
          case "h" -> 3_600;
          case "d" -> 86_400;
          default -> 1;
        };
    BigDecimal millis = new BigDecimal(time.group(1)).multiply(BigDecimal.valueOf(unit * 1_000L));
    return Duration.ofMillis(millis.longValue());
  }

  private static void report(Workload pod, Yaml hook, Duration sleep, ShutdownPlan plan) {
    long whole = sleep.plusMillis(999).toSeconds();
    // The kubelet's least time between the stop signal and SIGKILL is 2 s.
    long left = Math.max(2, pod.graceSeconds() - whole);
    pod.find(
        Rule.PRE_STOP_UNDECLARED,
        hook,
        "the hook takes %ds of %ds, so that SIGKILL comes %ds after the stop signal; the plan"
            + " counts on %ds. Remove the hook, or set pre-stop-delay=%ds",
        whole,
        pod.graceSeconds(),
        left,
        pod.graceSeconds() - plan.preStopDelay().toSeconds(),
        whole);
  }

  private static void reportUnknown(Workload pod, Yaml exec, String time) {
    pod.find(
        Rule.PRE_STOP_UNDECLARED,
        exec,
        time.contains("$(")
            ? "sleep %s: a hook has no $(NAME), so that sleep fails at once; a shell has $NAME"
            : "sleep %s: how long that takes is not in these files; set pre-stop-delay to it, or"
                + " remove the hook",
        time);
  }
}
