package io.lastcall.manifests;

import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.spi.Extension;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** Makes the plan that the service would make, by core itself, and reports what it refuses. */
final class Plans {
  private static final String MISFIT = "The plan does not fit";
  private static final String UNKNOWN = "Unknown ";

  /** Every plan that can be made fits this grace period: a misfit must not hide other findings. */
  private static final String AMPLE = "168h";

  private static final String GRACE = "terminationGracePeriodSeconds";
  private static final String PREFIX = "lastcall.";
  private static final String VARIABLES = "LASTCALL_";
  private static final String SECRET = "a-value-that-the-files-do-not-show";

  private final Map<String, String> configured;
  private final List<Extension> extensions =
      ServiceLoader.load(Extension.class).stream().map(ServiceLoader.Provider::get).toList();
  private final List<Setting<?>> known =
      Stream.concat(
              Setting.all().stream(),
              extensions.stream().flatMap(extension -> extension.settings().stream()))
          .toList();

  /**
   * @param configured settings that the service has from elsewhere, by name
   * @throws IllegalArgumentException if one of them is none
   */
  Plans(Map<String, String> configured) {
    this.configured = configured;
    var unused = sources(Map.of(), new Properties(), Map.of());
  }

  /** Settings of the command line are those of the one workload that there is. */
  void claimOnly(List<Workload> workloads) {
    if (!configured.isEmpty() && workloads.size() == 1) {
      workloads.get(0).hasLibrary = true;
    }
  }

  static String variable(String setting) {
    return VARIABLES + setting.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  private SettingSources sources(
      Map<String, String> environment, Properties properties, Map<String, String> spring) {
    Setting<?>[] others =
        extensions.stream()
            .flatMap(extension -> extension.settings().stream())
            .toArray(Setting<?>[]::new);
    SettingSources sources = new SettingSources(environment, properties, others);
    configured.forEach((name, text) -> sources.configure(name, text, "--settings " + name));
    spring.forEach((name, text) -> sources.configure(name, text, "lastcall." + name));
    return sources;
  }

  private ShutdownPlan plan(
      Map<String, String> environment, Properties properties, Map<String, String> spring) {
    ShutdownPlan plan = ShutdownPlan.of(sources(environment, properties, spring));
    extensions.forEach(extension -> extension.check(plan));
    return plan;
  }

  /** Finds the workload's plan, and what is wrong with it. */
  void check(Workload pod) {
    pod.gracePeriod
        .refusal()
        .ifPresent(
            why ->
                pod.find(
                    Rule.GRACE_PERIOD_IMPOSSIBLE,
                    pod.spec.get(GRACE),
                    "%s: %s: %s",
                    GRACE,
                    pod.spec.get(GRACE).text("a mapping"),
                    why));
    if (pod.hasLibrary) {
      checkPlan(pod);
    }
  }

  private void checkPlan(Workload pod) {
    Map<String, String> environment = environment(pod);
    Properties properties = properties(pod);
    Map<String, String> spring = spring(pod);
    try {
      compare(pod, plan(environment, properties, spring));
    } catch (IllegalArgumentException e) {
      refuse(pod, e);
    }
    // The plan that counts is the one within the grace period that the Pod has.
    environment.remove(Setting.GRACE_PERIOD.variable());
    spring.remove(Setting.GRACE_PERIOD.name());
    pod.plan =
        within(pod, pod.graceSeconds() + "s", environment, properties, spring)
            .or(() -> within(pod, AMPLE, environment, properties, spring));
    pod.plan.ifPresent(plan -> plan.warnings().forEach(warning -> warn(pod, warning)));
  }

  private Map<String, String> environment(Workload pod) {
    Map<String, String> environment = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
    pod.environment
        .variables()
        .forEach((name, value) -> value.text().ifPresent(text -> environment.put(name, text)));
    known.stream()
        .filter(setting -> pod.environment.names().contains(setting.variable()))
        .filter(setting -> !environment.containsKey(setting.variable()))
        .forEach(
            setting -> {
              if (setting.equals(Setting.PRE_STOP_TOKEN)) {
                environment.put(setting.variable(), SECRET); // its value changes nothing
              } else {
                var unused = pod.isUnseen(setting.name());
              }
            });
    return environment;
  }

  private static Properties properties(Workload pod) {
    Properties properties = new Properties();
    pod.commandLine.javaOptions().stream()
        .filter(option -> option.startsWith("-D" + PREFIX) && option.contains("="))
        .map(option -> option.substring(2).split("=", 2))
        .forEach(option -> properties.setProperty(option[0], option[1]));
    return properties;
  }

  /** Returns what Spring Boot has from its arguments and from a variable. */
  private static Map<String, String> spring(Workload pod) {
    Map<String, String> settings = new HashMap<>();
    String json = pod.environment.text(Environment.SPRING_JSON).orElse("");
    YamlTree.read("", 0, json, root -> flatten("", root, settings), problem -> {});
    for (String argument : pod.commandLine.springArguments()) {
      String[] parts = argument.split("=", 2);
      settings.put(parts[0], parts[1]);
    }
    Map<String, String> ours = new HashMap<>();
    settings.forEach(
        (key, value) -> {
          if (key.startsWith(PREFIX)) {
            // Relaxed binding: gracePeriod is grace-period.
            String name = key.substring(PREFIX.length()).replaceAll("([a-z])([A-Z])", "$1-$2");
            ours.put(name.replace('_', '-').toLowerCase(Locale.ROOT), value);
          }
        });
    return ours;
  }

  private static void flatten(String prefix, Yaml value, Map<String, String> into) {
    value.text().ifPresent(text -> into.put(prefix, text));
    value
        .members()
        .forEach(
            (key, member) -> flatten(prefix.isEmpty() ? key : prefix + "." + key, member, into));
  }

  private Optional<ShutdownPlan> within(
      Workload pod,
      String grace,
      Map<String, String> environment,
      Properties properties,
      Map<String, String> spring) {
    properties.setProperty(Setting.GRACE_PERIOD.property(), grace);
    try {
      return Optional.of(plan(environment, properties, spring));
    } catch (IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      if (reason.startsWith(MISFIT)) {
        pod.find(
            Rule.PLAN_DOES_NOT_FIT,
            pod.spec.get(GRACE),
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
    if (declared.gracePeriod().toSeconds() == seconds
        || pod.gracePeriod.refusal().isPresent()
        || (declared.value(Setting.GRACE_PERIOD).isDefault()
            && pod.isUnseen(Setting.GRACE_PERIOD.name()))) {
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
    return pod.environment.names().stream()
        .filter(name -> name.startsWith(VARIABLES) && message.contains(name))
        .max(Comparator.comparingInt(String::length))
        .map(name -> line(pod, name))
        .orElse(pod.container);
  }

  private static Yaml line(Workload pod, String variable) {
    return pod.environment.where(variable).orElse(pod.spec.get(GRACE));
  }
}
