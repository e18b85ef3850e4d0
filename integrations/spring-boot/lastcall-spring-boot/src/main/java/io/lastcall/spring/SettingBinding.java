package io.lastcall.spring;

import io.lastcall.GracefulShutdownBuilder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Gives core each value as it is written, with its origin: core says what it refuses. A name in a
 * file that is no setting is given to core too, which names the nearest one. Of a name in the
 * environment core only warns: Kubernetes sets variables there.
 */
final class SettingBinding {
  static final ConfigurationPropertyName LASTCALL = ConfigurationPropertyName.of("lastcall");

  private static final Logger log = LoggerFactory.getLogger(SettingBinding.class);

  /** All sources but environment and system properties. */
  private static final UnboundElementsSourceFilter FILES = new UnboundElementsSourceFilter();

  /** Which the conditions read. */
  private static final List<ConfigurationPropertyName> SWITCHES =
      List.of(LASTCALL.append("enabled"), LASTCALL.append("work.enabled"));

  private static final ConfigurationPropertyName STOP_FIRST = LASTCALL.append("stop-first");

  private SettingBinding() {}

  /**
   * Gives the settings to the builder. An empty value means unset.
   *
   * @return whether there is any but those of the environment, which core reads itself
   * @throws IllegalArgumentException for an unknown name, a value that is none, or a placeholder
   *     without one, naming both
   */
  static boolean configure(GracefulShutdownBuilder builder, ConfigurableEnvironment environment) {
    Set<ConfigurationPropertyName> names = new LinkedHashSet<>();
    builder.settings().forEach(setting -> names.add(LASTCALL.append(setting.name())));
    names.addAll(unknown(environment, names));
    boolean any = false;
    for (ConfigurationPropertyName name : names) {
      any |= give(name, builder, environment);
    }
    return any;
  }

  private static Set<ConfigurationPropertyName> unknown(
      Environment environment, Set<ConfigurationPropertyName> known) {
    Set<ConfigurationPropertyName> unknown = new LinkedHashSet<>();
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names && FILES.apply(source)) {
        names.stream()
            .filter(name -> LASTCALL.equals(name) || LASTCALL.isAncestorOf(name))
            .map(name -> name.isLastElementIndexed() ? name.getParent() : name)
            .forEach(unknown::add);
      }
    }
    unknown.removeAll(known);
    unknown.removeAll(SWITCHES);
    unknown.remove(STOP_FIRST);
    return unknown;
  }

  /**
   * Gives the builder what a name has in each source, that of the highest precedence last: it
   * counts, and the plan names what it has overridden.
   */
  private static boolean give(
      ConfigurationPropertyName name,
      GracefulShutdownBuilder builder,
      ConfigurableEnvironment environment) {
    List<Value> values = new ArrayList<>();
    for (var source : ConfigurationPropertySources.get(environment)) {
      List<ConfigurationProperty> written = written(name, source);
      if (!written.isEmpty()) {
        values.add(new Value(written, environment, FILES.apply(source)));
      }
    }
    if (values.isEmpty()) {
      return false;
    }
    Value counts = values.get(0);
    String text = counts.text();
    if (!text.isEmpty() && name.equals(LASTCALL)) {
      throw new IllegalArgumentException(
          "%s=%s: it has no value of its own; allowed: settings below it, such as"
                  .formatted(counts.origin(), text)
              + " lastcall.grace-period: 30s");
    }
    if (!text.isEmpty()) {
      String setting = name.subName(1).toString();
      for (int i = values.size() - 1; i > 0; i--) {
        giveOverridden(setting, values.get(i), builder);
      }
      builder.configuration(setting, text, counts.origin());
    }
    return values.stream().anyMatch(Value::isInFile);
  }

  /** One that is none, or whose placeholder has no value, does not count. */
  private static void giveOverridden(String setting, Value value, GracefulShutdownBuilder builder) {
    try {
      builder.configuration(setting, value.text(), value.origin());
    } catch (IllegalArgumentException e) {
      log.debug("{} is no value, and is overridden", value.origin(), e);
    }
  }

  /** Returns the property of a name, or the elements of its list. */
  private static List<ConfigurationProperty> written(
      ConfigurationPropertyName name, ConfigurationPropertySource source) {
    ConfigurationProperty whole = source.getConfigurationProperty(name);
    if (whole != null) {
      return List.of(whole);
    }
    List<ConfigurationProperty> elements = new ArrayList<>();
    ConfigurationProperty next;
    while ((next = source.getConfigurationProperty(name.append("[" + elements.size() + "]")))
        != null) {
      elements.add(next);
    }
    return elements;
  }

  /**
   * The conditions take all but {@code true} for a no, a typing error too.
   *
   * @throws RefusedSettings if one is neither true nor false
   */
  static void checkSwitches(Environment environment) {
    for (ConfigurationPropertyName name : SWITCHES) {
      String text = Binder.get(environment).bind(name.toString(), String.class).orElse("");
      if (!List.of("", "true", "false").contains(text.toLowerCase(Locale.ROOT))) {
        throw new RefusedSettings(
            new IllegalArgumentException(
                "%s=%s: it is not one of these; allowed: true, false".formatted(name, text)));
      }
    }
  }

  /** What one source has: one property, or the elements of a list. */
  private record Value(
      List<ConfigurationProperty> written, ConfigurableEnvironment environment, boolean isInFile) {
    String text() {
      return written.stream().map(this::text).collect(Collectors.joining(","));
    }

    /** To YAML a plain {@code off} is the boolean, and there is no setting of that type. */
    private String text(ConfigurationProperty property) {
      Object value = property.getValue();
      try {
        return Boolean.FALSE.equals(value)
            ? "off"
            : environment.resolveRequiredPlaceholders(String.valueOf(value));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s: %s; allowed: a placeholder that has a value, or a default as in ${NAME:30s}"
                .formatted(origin(), e.getMessage()),
            e);
      }
    }

    /** Where it is, and how it is spelt there. */
    String origin() {
      ConfigurationProperty property = written.get(0);
      if (!(property.getOrigin() instanceof PropertySourceOrigin origin)) {
        return property.getOrigin() + " " + property.getName();
      }
      String line =
          origin.getOrigin() instanceof TextResourceOrigin text && text.getLocation() != null
              ? ":" + (text.getLocation().getLine() + 1)
              : "";
      return fileName(origin.getPropertySource().getName()) + line + " " + origin.getPropertyName();
    }

    /** Spring Boot: "Config resource 'class path resource [application.yml]' via location ...". */
    private static String fileName(String source) {
      int start = source.indexOf('[');
      int end = source.indexOf(']', start + 1);
      return start >= 0 && end >= 0 ? source.substring(start + 1, end) : source;
    }
  }
}
