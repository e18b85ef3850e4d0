package io.lastcall.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The sources of settings, and the value that counts: system property, then environment, then a
 * framework's configuration, then code, then annotation, then default. Not thread-safe.
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

  private final Map<String, String> environment;
  private final Properties properties;
  private final List<Setting<?>> settings = new ArrayList<>(Setting.all());

  /** The settings, those of artifacts that are missing, and those that have left. */
  private final List<Setting<?>> known;

  private final Map<Setting<?>, PlanValue<?>> configuration = new HashMap<>();
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
    known.addAll(Setting.former());
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
   * Sets a value from a framework's configuration.
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
    configuration.put(setting, read(setting, text, origin, "configuration "));
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
   * Finds the value that counts.
   *
   * @param fallback the default
   * @param why the reason for this default; may be empty
   * @throws IllegalArgumentException if the text found is no value: origin, text, what is allowed
   */
  @SuppressWarnings("unchecked") // a PlanValue<T> is kept under its Setting<T>
  <T> PlanValue<T> find(Setting<T> setting, T fallback, String why) {
    String property = properties.getProperty(setting.property());
    if (property != null) {
      return read(setting, property, "system property " + setting.property(), "");
    }
    String variable = environment.get(setting.variable());
    if (variable != null) {
      return read(setting, variable, "environment " + setting.variable(), "");
    }
    PlanValue<?> set = configuration.getOrDefault(setting, code.get(setting));
    if (set != null) {
      return (PlanValue<T>) set;
    }
    return annotation
        .flatMap(annotated -> annotated.find(setting))
        .orElseGet(
            () ->
                new PlanValue<>(
                    setting.name(),
                    fallback,
                    setting.format(fallback),
                    why.isEmpty() ? "default" : "default, " + why,
                    true));
  }

  /**
   * Returns a warning for each variable or property that looks like a setting and is none, with the
   * nearest known name. It is no error: Kubernetes injects {@code LASTCALL_PORT} and the like for a
   * Service named lastcall.
   */
  List<String> unknownNames() {
    Set<String> names = properties.stringPropertyNames();
    return Stream.concat(
            unknown("environment variable", environment.keySet(), Setting::variable),
            unknown("system property", names, Setting::property))
        .toList();
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
        .anyMatch(configured -> configured.sourceText().endsWith(" " + name));
  }

  private String nearest(String name, Function<Setting<?>, String> naming) {
    return NearestName.of(name, known.stream().map(naming)).orElseThrow();
  }
}
