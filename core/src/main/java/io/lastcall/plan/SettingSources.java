package io.lastcall.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sources of settings, and the value that counts: system property, then environment, then a
 * framework's configuration, then code, then annotation, then default. Not thread-safe.
 *
 * @hidden of the library itself
 */
public final class SettingSources {
  /**
   * The name, {@link NearestName#folded folded}, that switches the Spring Boot starters off: not
   * one of core's.
   */
  private static final String STARTERS = "lastcall-enabled";

  /** What else the starters read themselves. */
  private static final List<String> STARTERS_WORK =
      List.of("lastcall-work-enabled", "lastcall-stop-first", "lastcall-stopfirst");

  private static final Pattern SERVICE_LINK =
      Pattern.compile(
          "[A-Z0-9_]+_(SERVICE_HOST=[0-9a-fA-F.:]+|SERVICE_PORT(_[A-Z0-9_]+)?=\\d+"
              + "|PORT=(tcp|udp|sctp)://.+"
              + "|PORT_\\d+_(TCP|UDP|SCTP)(=.+://.+|_(PROTO|PORT|ADDR)=.*))");

  private final Map<String, String> environment;
  private final Properties properties;
  private final List<Setting<?>> settings = new ArrayList<>(Setting.all());

  /** The settings, and those of artifacts that are missing. */
  private final List<Setting<?>> known;

  /** The value that counts first. */
  private final Map<Setting<?>, Deque<PlanValue<?>>> configuration = new HashMap<>();

  private final Map<Setting<?>, PlanValue<?>> code = new HashMap<>();
  private Optional<AnnotatedSettings> annotation = Optional.empty();

  /**
   * Creates sources without values from configuration, code or annotation.
   *
   * @param environment the process's variables
   * @param properties the JVM's system properties
   * @param others settings of extensions
   */
  public SettingSources(
      Map<String, String> environment, Properties properties, Setting<?>... others) {
    this.environment = environment;
    this.properties = properties;
    settings.addAll(List.of(others));
    known = new ArrayList<>(settings);
    List<String> names = settings.stream().map(Setting::name).toList();
    Setting.elsewhere().stream().filter(other -> !names.contains(other.name())).forEach(known::add);
  }

  /** Returns the settings there are, core's first. */
  public List<Setting<?>> settings() {
    return Collections.unmodifiableList(settings);
  }

  List<Setting<?>> known() {
    return known;
  }

  /**
   * Sets a value from code.
   *
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  public <T> void set(Setting<T> setting, T value) {
    code.put(setting, PlanValue.given(setting, setting.check(value), "code"));
  }

  /**
   * Sets a value from a framework's configuration. A later value of the same setting counts in
   * place of an earlier one.
   *
   * @param name the setting's name in the plan
   * @param origin where the text is from, ending in the setting's name there, such as {@code
   *     application.yml lastcall.grace-period}
   * @throws IllegalArgumentException if there is no such setting, or the text is no value of it
   */
  public void configure(String name, String text, String origin) {
    Setting<?> setting =
        known.stream()
            .filter(candidate -> candidate.name().equals(name))
            .findAny()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        // Without the value: the misspelt name may be that of a secret.
                        "%s: there is no setting %s; the nearest known name is %s"
                            .formatted(origin, name, nearest(name, Setting::name))));
    if (isServiceLink(origin.substring(origin.lastIndexOf(' ') + 1), text)) {
      return; // Spring Boot takes it from the environment
    }
    configuration
        .computeIfAbsent(setting, key -> new ArrayDeque<>())
        .addFirst(read(setting, text, origin, "configuration "));
  }

  private static <T> PlanValue<T> read(
      Setting<T> setting, String text, String origin, String prefix) {
    return PlanValue.given(setting, setting.parse(text, origin), prefix + origin);
  }

  /**
   * Takes the {@code @ShutdownSettings} of a component's class, if it has or inherits them.
   *
   * @throws IllegalArgumentException if another class has them too, or an attribute is no value
   */
  public void annotated(Class<?> type) {
    Optional<AnnotatedSettings> found = AnnotatedSettings.of(type);
    if (found.equals(annotation)) {
      return;
    }
    if (found.isPresent() && annotation.isPresent()) {
      throw new IllegalArgumentException(
          "@ShutdownSettings on %s and on %s; allowed: one component with settings"
              .formatted(annotation.get().type().getName(), found.get().type().getName()));
    }
    // Every attribute is checked, even if another source overrides it in this process.
    found.ifPresent(annotated -> known.forEach(annotated::find));
    annotation = annotation.or(() -> found);
  }

  /** Returns whether the process runs in a pod: the kubelet sets this variable in every one. */
  boolean inKubernetes() {
    return environment.containsKey("KUBERNETES_SERVICE_HOST");
  }

  /**
   * Finds the value that counts. Its source names the values that it overrides, if they differ.
   *
   * @param fallback the default
   * @param why the reason for this default; may be empty
   * @throws IllegalArgumentException if the text found is no value: origin, text, what is allowed
   */
  <T> PlanValue<T> find(Setting<T> setting, T fallback, String why) {
    List<PlanValue<?>> overridden = new ArrayList<>();
    PlanValue<T> counts = null;
    String property = properties.getProperty(setting.property());
    if (property != null) {
      counts = read(setting, property, "system property " + setting.property(), "");
    }
    String variable = environment.get(setting.variable());
    if (variable != null && !isServiceLink(setting.variable(), variable)) {
      String origin = "environment " + setting.variable();
      if (counts == null) {
        counts = read(setting, variable, origin, "");
      } else {
        overridden.add(readAnyhow(setting, variable, origin));
      }
    }
    overridden.addAll(configuration.getOrDefault(setting, new ArrayDeque<>()));
    Optional.ofNullable(code.get(setting)).ifPresent(overridden::add);
    annotation.flatMap(annotated -> annotated.find(setting)).ifPresent(overridden::add);
    if (counts == null && overridden.isEmpty()) {
      String source = why.isEmpty() ? "default" : "default, " + why;
      return new PlanValue<>(setting.name(), fallback, setting.format(fallback), source, true);
    }
    if (counts == null) {
      counts = typed(overridden.remove(0));
    }
    return counts.over(overridden);
  }

  @SuppressWarnings("unchecked") // a PlanValue<T> is kept under its Setting<T>
  private static <T> PlanValue<T> typed(PlanValue<?> value) {
    return (PlanValue<T>) value;
  }

  /** Reads a value that does not count: it may be none. */
  private static <T> PlanValue<?> readAnyhow(Setting<T> setting, String text, String origin) {
    try {
      return read(setting, text, origin, "");
    } catch (IllegalArgumentException e) {
      String shown = setting.equals(Setting.PRE_STOP_TOKEN) ? "(hidden)" : text;
      return new PlanValue<>(setting.name(), e, shown, origin, false);
    }
  }

  /**
   * Returns a warning for each variable or property that looks like a setting and is none, with the
   * nearest known name. The variables that Kubernetes sets in every pod for a Service named
   * lastcall are none of these.
   */
  List<String> unknownNames() {
    Set<String> names = properties.stringPropertyNames();
    return Stream.concat(
            unknown("environment variable", variables(), Setting::variable),
            unknown("system property", names, Setting::property))
        .toList();
  }

  private Set<String> variables() {
    return environment.entrySet().stream()
        .filter(variable -> !isServiceLink(variable.getKey(), variable.getValue()))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /**
   * Returns whether a variable is one of those that the kubelet sets for each Service of the
   * namespace (Kubernetes: "Accessing the Service", environment variables; {@code
   * enableServiceLinks}). A Service named lastcall-probe has {@code LASTCALL_PROBE_PORT}, a
   * setting's name: the value tells.
   */
  private static boolean isServiceLink(String name, String value) {
    return SERVICE_LINK.matcher(name + "=" + value).matches();
  }

  private Stream<String> unknown(
      String what, Set<String> names, Function<Setting<?>, String> naming) {
    return names.stream()
        .filter(name -> NearestName.folded(name).startsWith("lastcall-"))
        .filter(name -> !isStarters(NearestName.folded(name)))
        .filter(name -> known.stream().map(naming).noneMatch(name::equals) && !isConfigured(name))
        .sorted()
        .map(
            name ->
                "Unknown %s %s is ignored; the nearest known name is %s"
                    .formatted(what, name, nearest(name, naming)));
  }

  /** A list has its index at the end of the name. */
  private static boolean isStarters(String folded) {
    return folded.equals(STARTERS) || STARTERS_WORK.stream().anyMatch(folded::startsWith);
  }

  /** Returns whether a framework has taken the name for a setting, in a spelling of its own. */
  private boolean isConfigured(String name) {
    return configuration.values().stream()
        .flatMap(Deque::stream)
        .anyMatch(configured -> configured.sourceText().endsWith(" " + name));
  }

  private String nearest(String name, Function<Setting<?>, String> naming) {
    return NearestName.of(name, known.stream().map(naming)).orElseThrow();
  }
}
