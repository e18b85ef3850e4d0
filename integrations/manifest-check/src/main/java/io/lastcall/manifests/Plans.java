package io.lastcall.manifests;

import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.spi.Extension;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;

/** Makes the plan that the service would make, by core itself, and reports what it refuses. */
final class Plans {
  private static final String MISFIT = "The plan does not fit";
  private static final String UNKNOWN = "Unknown ";

  /** Every plan that can be made fits this grace period: a misfit must not hide other findings. */
  private static final String AMPLE = "168h";

  private final Map<String, String> configured;
  private final List<Extension> extensions =
      ServiceLoader.load(Extension.class).stream().map(ServiceLoader.Provider::get).toList();

  /**
   * @param configured settings that the service has from elsewhere, by name
   * @throws IllegalArgumentException if one of them is none
   */
  Plans(Map<String, String> configured) {
    this.configured = configured;
    var unused = sources(Map.of(), new Properties());
  }

  private SettingSources sources(Map<String, String> environment, Properties properties) {
    Setting<?>[] others =
        extensions.stream()
            .flatMap(extension -> extension.settings().stream())
            .toArray(Setting<?>[]::new);
    SettingSources sources = new SettingSources(environment, properties, others);
    configured.forEach((name, text) -> sources.configure(name, text, "--settings " + name));
    return sources;
  }

  private ShutdownPlan plan(Map<String, String> environment, Properties properties) {
    ShutdownPlan plan = ShutdownPlan.of(sources(environment, properties));
    extensions.forEach(extension -> extension.check(plan));
    return plan;
  }

  /** Finds the workload's plan, and what is wrong with it. */
  void check(Workload pod) {
    Map<String, String> environment = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
    pod.environment.forEach(
        (name, value) -> value.text().ifPresent(text -> environment.put(name, text)));
    Properties properties = new Properties();
    pod.javaOptions().stream()
        .filter(option -> option.startsWith("-Dlastcall.") && option.contains("="))
        .map(option -> option.substring(2).split("=", 2))
        .forEach(option -> properties.setProperty(option[0], option[1]));
    try {
      compare(pod, plan(environment, properties));
    } catch (IllegalArgumentException e) {
      refuse(pod, e);
    }
    // The plan that counts is the one within the grace period that the Pod has.
    environment.remove(Setting.GRACE_PERIOD.variable());
    pod.plan =
        within(pod, pod.graceSeconds() + "s", environment, properties)
            .or(() -> within(pod, AMPLE, environment, properties));
    pod.plan.ifPresent(plan -> plan.warnings().forEach(warning -> warn(pod, warning)));
  }

  private Optional<ShutdownPlan> within(
      Workload pod, String grace, Map<String, String> environment, Properties properties) {
    properties.setProperty(Setting.GRACE_PERIOD.property(), grace);
    try {
      return Optional.of(plan(environment, properties));
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      if (reason.startsWith(MISFIT)) {
        pod.find(
            Rule.PLAN_DOES_NOT_FIT,
            pod.spec.get("terminationGracePeriodSeconds"),
            "%s",
            reason.replace(
                "system property " + Setting.GRACE_PERIOD.property(),
                "the Pod's terminationGracePeriodSeconds"));
      }
      return Optional.empty();
    }
  }

  private static void compare(Workload pod, ShutdownPlan declared) {
    long seconds = pod.graceSeconds();
    if (declared.gracePeriod().toSeconds() == seconds) {
      return;
    }
    String what =
        declared.gracePeriod().toSeconds() > seconds
            ? "SIGKILL comes %ds earlier than the plan expects"
                .formatted(declared.gracePeriod().toSeconds() - seconds)
            : "%ds of it are never used".formatted(seconds - declared.gracePeriod().toSeconds());
    pod.find(
        Rule.GRACE_PERIOD_DIFFERS,
        line(pod, Setting.GRACE_PERIOD.variable()),
        "grace-period=%s (%s), terminationGracePeriodSeconds: %d: %s",
        declared.value(Setting.GRACE_PERIOD).text(),
        declared.value(Setting.GRACE_PERIOD).sourceText(),
        seconds,
        what);
  }

  private static void refuse(Workload pod, IllegalArgumentException refusal) {
    String reason = String.valueOf(refusal.getMessage());
    if (!reason.startsWith(MISFIT)) { // that is said of the Pod's own grace period
      pod.find(Rule.SETTING_REFUSED, named(pod, reason), "%s", reason);
    }
  }

  private static void warn(Workload pod, String warning) {
    Rule rule = warning.startsWith(UNKNOWN) ? Rule.SETTING_UNKNOWN : Rule.SETTING_NOT_MEANT;
    pod.find(rule, named(pod, warning), "%s", warning);
  }

  /** Returns the variable that a message of core's names first. */
  private static Yaml named(Workload pod, String message) {
    return pod.environment.keySet().stream()
        .filter(name -> name.startsWith("LASTCALL_") && message.contains(name))
        .max(Comparator.comparingInt(String::length))
        .map(name -> line(pod, name))
        .orElse(pod.container);
  }

  private static Yaml line(Workload pod, String variable) {
    return pod.environment.getOrDefault(variable, pod.spec.get("terminationGracePeriodSeconds"));
  }
}
