package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.plan.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The {@code lastcall.*} properties of the application. Core looks at environment variables and
 * system properties itself, in its own spelling; the other spellings that Spring Boot knows are
 * taken here. A name in a file that means nothing is a mistake, and refused; of one in the
 * environment core warns, since Kubernetes sets variables of its own.
 */
final class LastcallProperties {
  private static final String NAME = "lastcall";
  private static final String PREFIX = NAME + ".";

  /** What the starter itself understands: whether it is on, as its conditions ask. */
  private static final Set<String> SWITCHES = Set.of(PREFIX + "enabled", PREFIX + "work.enabled");

  private static final Map<String, Setting<?>> SETTINGS =
      GracefulShutdown.builder().settings().stream()
          .collect(Collectors.toMap(setting -> uniform(setting.name()), Function.identity()));

  /** Each with what its names begin with. */
  private static final Map<String, String> CORES =
      Map.of(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          "LASTCALL_",
          StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
          PREFIX);

  private LastcallProperties() {}

  /**
   * Gives them to the builder. An empty value means unset.
   *
   * @throws IllegalArgumentException for an unknown name, a value that is none, or a placeholder
   *     without one, naming both
   */
  static void configure(GracefulShutdownBuilder builder, ConfigurableEnvironment environment) {
    for (String name : SWITCHES) {
      refuseNeitherOnNorOff(name, environment.getProperty(name, ""));
    }
    // The first source that has a setting counts, however it is spelt there.
    Map<String, Found> found = new LinkedHashMap<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> names) {
        for (String name : names.getPropertyNames()) {
          String setting = settingName(source, name);
          if (setting != null) {
            found.computeIfAbsent(setting, first -> new Found(source)).add(source, name);
          }
        }
      }
    }
    found.forEach(
        (setting, value) -> {
          String text = resolved(value, environment);
          if (!text.isEmpty()) {
            builder.configuration(setting, text, value.origin());
          }
        });
  }

  /** The condition takes all but {@code false} for a yes, {@code off} and {@code 0} too. */
  private static void refuseNeitherOnNorOff(String name, String enabled) {
    if (!List.of("", "true", "false").contains(enabled.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException(
          "%s=%s: it is not one of these; allowed: true, false".formatted(name, enabled));
    }
  }

  private static String resolved(Found value, ConfigurableEnvironment environment) {
    try {
      return environment.resolveRequiredPlaceholders(value.text());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s: %s; allowed: a placeholder that has a value, or a default as in ${NAME:30s}"
              .formatted(value.origin(), e.getMessage()),
          e);
    }
  }

  /** A value: where it is, and how it is called there; a list has a name for each element. */
  private record Found(PropertySource<?> source, List<String> names) {
    Found(PropertySource<?> source) {
      this(source, new ArrayList<>());
    }

    void add(PropertySource<?> where, String name) {
      if (where.equals(source) && (names.isEmpty() || name.endsWith("]"))) {
        names.add(name);
      }
    }

    String text() {
      return names.stream().map(this::text).collect(Collectors.joining(","));
    }

    /** To YAML a plain {@code off} is the boolean, and there is no setting of that type. */
    private String text(String name) {
      Object value = source.getProperty(name);
      return Boolean.FALSE.equals(value) ? "off" : String.valueOf(value);
    }

    String origin() {
      return fileName(source.getName()) + " " + names.get(0);
    }
  }

  /** Spring Boot: "Config resource 'class path resource [application.yml]' via location ...". */
  private static String fileName(String source) {
    int start = source.indexOf('[');
    int end = source.indexOf(']', start + 1);
    return start >= 0 && end >= 0 ? source.substring(start + 1, end) : source;
  }

  /** Returns the setting that a property is meant for, or null if it is for none. */
  private static @Nullable String settingName(PropertySource<?> source, String property) {
    String cores = CORES.get(source.getName());
    if (cores != null) {
      return property.startsWith(cores) ? otherSpelling(property, cores) : null;
    }
    if (property.equals(NAME)) {
      refuseScalar(source);
    }
    if (!property.startsWith(PREFIX) || SWITCHES.contains(property)) {
      return null;
    }
    Setting<?> setting = setting(property, PREFIX);
    return setting != null ? setting.name() : property.substring(PREFIX.length());
  }

  /** Core reads its own. */
  private static @Nullable String otherSpelling(String property, String prefix) {
    Setting<?> setting = setting(property, prefix);
    return setting == null
            || property.equals(setting.variable())
            || property.equals(setting.property())
        ? null
        : setting.name();
  }

  /** Relaxed as everywhere in Spring Boot: gracePeriod and grace_period mean grace-period. */
  private static @Nullable Setting<?> setting(String property, String prefix) {
    return SETTINGS.get(uniform(property.substring(prefix.length())));
  }

  private static String uniform(String name) {
    return name.replaceAll("[-_]|\\[\\d+]$", "").toLowerCase(Locale.ROOT);
  }

  /** In YAML {@code lastcall: 30s}; without a value it is a heading with nothing below it. */
  private static void refuseScalar(PropertySource<?> source) {
    String value = String.valueOf(source.getProperty(NAME));
    if (!value.isEmpty()) {
      throw new IllegalArgumentException(
          "%s %s=%s: it has no value of its own; allowed: settings below it, such as %s"
              .formatted(fileName(source.getName()), NAME, value, PREFIX + "grace-period: 30s"));
    }
  }
}
