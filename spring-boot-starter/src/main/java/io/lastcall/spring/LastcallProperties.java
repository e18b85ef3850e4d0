package io.lastcall.spring;

import io.lastcall.GracefulShutdownBuilder;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The {@code lastcall.*} properties of the application's files. Environment variables and system
 * properties are not looked at: core does, and warns of unknown ones, since Kubernetes sets
 * variables of its own. A name in a file that means nothing is a mistake, and refused.
 */
final class LastcallProperties {
  private static final String PREFIX = "lastcall.";

  /** What the starter itself understands. */
  private static final Set<String> OURS = Set.of("enabled");

  private static final Set<String> CORES =
      Set.of(
          StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
          StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

  private LastcallProperties() {}

  /**
   * Gives them to the builder.
   *
   * @throws IllegalArgumentException for an unknown name, or a value that is none, naming both
   */
  static void configure(GracefulShutdownBuilder builder, ConfigurableEnvironment environment) {
    // The first source that has a setting counts, however it is spelt there.
    Map<String, Found> found = new LinkedHashMap<>();
    for (PropertySource<?> source : environment.getPropertySources()) {
      if (source instanceof EnumerablePropertySource<?> names
          && !CORES.contains(source.getName())) {
        for (String name : names.getPropertyNames()) {
          if (name.startsWith(PREFIX) && !OURS.contains(name.substring(PREFIX.length()))) {
            found.putIfAbsent(settingName(name), new Found(source, name));
          }
        }
      }
    }
    found.forEach(
        (setting, value) ->
            builder.configuration(
                setting, environment.resolveRequiredPlaceholders(value.text()), value.origin()));
  }

  /** A value: where it is, and how it is called there. */
  private record Found(PropertySource<?> source, String name) {
    /** To YAML a plain {@code off} is the boolean, and there is no setting of that type. */
    String text() {
      Object value = source.getProperty(name);
      return Boolean.FALSE.equals(value) ? "off" : String.valueOf(value);
    }

    String origin() {
      return fileName(source.getName()) + " " + name;
    }
  }

  /** Spring Boot: "Config resource 'class path resource [application.yml]' via location ...". */
  private static String fileName(String source) {
    int start = source.indexOf('[');
    int end = source.indexOf(']', start + 1);
    return start >= 0 && end >= 0 ? source.substring(start + 1, end) : source;
  }

  /** Relaxed as everywhere in Spring Boot: gracePeriod and grace_period mean grace-period. */
  private static String settingName(String property) {
    return property
        .substring(PREFIX.length())
        .replaceAll("([a-z])([A-Z])", "$1-$2")
        .replace('_', '-')
        .toLowerCase(Locale.ROOT);
  }
}
