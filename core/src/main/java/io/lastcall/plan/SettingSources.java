package io.lastcall.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Everything that may hold a value for a setting, and which of them counts: system property, then
 * environment, then a framework's configuration, then code, then annotation, then default.
 */
public final class SettingSources {
  /** The name, {@link #folded}, that switches the Spring Boot starters off: not one of core's. */
  private static final String STARTERS = "lastcall-enabled";

  /** What else the starters read themselves. */
  private static final String STARTERS_WORK = "lastcall-work-enabled";

  private final Map<String, String> environment;
  private final Properties properties;
  private final List<Setting<?>> settings = new ArrayList<>(Setting.all());
  private final List<Setting<?>> notOfCore;
  private final Map<Setting<?>, Configured> configuration = new HashMap<>();
  private final Map<Setting<?>, Object> code = new HashMap<>();
  private Optional<AnnotatedSettings> annotation = Optional.empty();

  /**
   * @param environment the process's variables
   * @param properties the JVM's system properties
   */
  public SettingSources(Map<String, String> environment, Properties properties) {
    this(environment, properties, List.of());
  }

  /**
   * As above, with settings of extensions.
   *
   * @param others their settings
   */
  public SettingSources(
      Map<String, String> environment, Properties properties, List<Setting<?>> others) {
    this.environment = environment;
    this.properties = properties;
    settings.addAll(others);
    notOfCore =
        Stream.concat(others.stream(), Setting.elsewhere().stream().filter(this::isAbsent))
            .toList();
  }

  private boolean isAbsent(Setting<?> other) {
    return settings.stream().noneMatch(setting -> setting.name().equals(other.name()));
  }

  /** Returns the settings there are, core's first. */
  public List<Setting<?>> settings() {
    return Collections.unmodifiableList(settings);
  }

  /** Returns the settings of extensions, and those of artifacts that are not there. */
  List<Setting<?>> notOfCore() {
    return notOfCore;
  }

  private Stream<Setting<?>> known() {
    return Stream.concat(Setting.all().stream(), notOfCore.stream());
  }

  /**
   * Sets a value from code.
   *
   * @throws IllegalArgumentException naming the setting, the value and what is allowed
   */
  public <T> void set(Setting<T> setting, T value) {
    code.put(setting, setting.check(value));
  }

  /**
   * Sets a value from a framework's configuration.
   *
   * @param name the setting's name in the plan
   * @param origin where the text is from, ending in the setting's name there, such as {@code
   *     application.yml lastcall.grace-period}
   * @throws IllegalArgumentException if there is no such setting, or no more, or the text is no
   *     value of it
   */
  public void configure(String name, String text, String origin) {
    FormerSetting.refuse(name, origin + "=" + text);
    Setting<?> setting =
        known()
            .filter(known -> known.name().equals(name))
            .findAny()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        // Without the value: the misspelt name may be that of a secret.
                        "%s: there is no setting %s; the nearest known name is %s"
                            .formatted(origin, name, nearest(name, Setting::name))));
    configuration.put(setting, new Configured(setting.parse(text, origin), origin));
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
    // All of them: what another source overrides today may count tomorrow.
    found.ifPresent(annotated -> known().forEach(annotated::find));
    annotation = annotation.or(() -> found);
  }

  /** Refuses variables and properties of settings that there are no more. */
  void refuseFormer() {
    ours(environment.keySet())
        .forEach(
            name ->
                FormerSetting.refuse(
                    name, "environment %s=%s".formatted(name, environment.get(name))));
    ours(properties.stringPropertyNames())
        .forEach(
            name ->
                FormerSetting.refuse(
                    name, "system property %s=%s".formatted(name, properties.getProperty(name))));
  }

  /** Returns whether the process runs in a pod: the kubelet sets this variable in every one. */
  boolean inKubernetes() {
    return environment.containsKey("KUBERNETES_SERVICE_HOST");
  }

  /**
   * Finds the value that counts.
   *
   * @param fallback the default, and why it is that
   * @throws IllegalArgumentException if the text found is no value: origin, text, what is allowed
   */
  @SuppressWarnings("unchecked") // set() puts a T under a Setting<T>
  <T> PlanValue<T> find(Setting<T> setting, Default<T> fallback) {
    String property = properties.getProperty(setting.property());
    if (property != null) {
      T value = setting.parse(property, "system property " + setting.property());
      return PlanValue.of(setting, value, Source.SYSTEM_PROPERTY, setting.property());
    }
    String variable = environment.get(setting.variable());
    if (variable != null) {
      T value = setting.parse(variable, "environment " + setting.variable());
      return PlanValue.of(setting, value, Source.ENVIRONMENT, setting.variable());
    }
    Configured configured = configuration.get(setting);
    if (configured != null) {
      return PlanValue.of(
          setting, (T) configured.value(), Source.CONFIGURATION, configured.origin());
    }
    Object coded = code.get(setting);
    if (coded != null) {
      return PlanValue.of(setting, (T) coded, Source.CODE, "");
    }
    return annotation
        .flatMap(settings -> settings.find(setting))
        .orElseGet(() -> PlanValue.of(setting, fallback.value(), Source.DEFAULT, fallback.why()));
  }

  /**
   * Returns a warning for each variable or property that looks like a setting and is none, with the
   * nearest known name. It is no error: Kubernetes injects {@code LASTCALL_PORT} and the like for a
   * Service named lastcall.
   */
  List<String> unknownNames() {
    List<String> warnings = new ArrayList<>();
    ours(environment.keySet())
        .forEach(name -> warn("environment variable", name, Setting::variable, warnings));
    warnings.addAll(switches("Environment variable", environment));
    warnings.addAll(switches("System property", properties));
    ours(properties.stringPropertyNames())
        .forEach(name -> warn("system property", name, Setting::property, warnings));
    return warnings;
  }

  /** Only core sees this: where the starters are there, they are off, and install nothing. */
  private static List<String> switches(String what, Map<?, ?> values) {
    return values.entrySet().stream()
        .filter(entry -> folded(String.valueOf(entry.getKey())).equals(STARTERS))
        .filter(entry -> String.valueOf(entry.getValue()).equalsIgnoreCase("false"))
        .map(
            entry ->
                "%s %s is ignored: it switches off the Spring Boot starters, and no install() of"
                        .formatted(what, entry)
                    + " somebody else's")
        .toList();
  }

  private Stream<String> ours(Set<String> names) {
    return names.stream()
        .filter(name -> folded(name).startsWith("lastcall-"))
        .filter(name -> !Set.of(STARTERS, STARTERS_WORK).contains(folded(name)))
        .filter(name -> !isConfigured(name))
        .sorted();
  }

  /**
   * Whether a framework has taken the name for a setting, in a spelling that is not ours. The
   * {@linkplain #configure origin} of what it has taken ends in that name.
   */
  private boolean isConfigured(String name) {
    return configuration.values().stream()
        .anyMatch(configured -> configured.origin().endsWith(" " + name));
  }

  /** What people take for the same name: {@code lastcall_grace_period}, say. */
  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '-').replace('.', '-');
  }

  private void warn(
      String what, String name, Function<Setting<?>, String> naming, List<String> warnings) {
    if (known().map(naming).noneMatch(name::equals)) {
      warnings.add(
          "Unknown %s %s is ignored; the nearest known name is %s"
              .formatted(what, name, nearest(name, naming)));
    }
  }

  /** One that begins so, {@code grace-period} for {@code grace}; or else by the edit distance. */
  private String nearest(String name, Function<Setting<?>, String> naming) {
    return known()
        .map(naming)
        .min(
            Comparator.comparing((String known) -> !folded(known).startsWith(folded(name)))
                .thenComparingInt(known -> distance(folded(name), folded(known))))
        .orElseThrow();
  }

  /** Levenshtein's edit distance, one row at a time. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  /** A value, and where it is from. */
  private record Configured(Object value, String origin) {}

  /** A default, and why it is that. */
  record Default<T>(T value, String why) {}
}
