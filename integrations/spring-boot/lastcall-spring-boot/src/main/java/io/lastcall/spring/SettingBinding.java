package io.lastcall.spring;

import io.lastcall.GracefulShutdownBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/**
 * Binds {@link LastcallProperties}, and gives core each value as it is written, with its origin:
 * core says what it refuses. A name in a file that is no property is given to core too, which names
 * the nearest one. Of a name in the environment core only warns: Kubernetes sets variables there.
 */
final class SettingBinding implements BindHandler {
  private static final Logger log = LoggerFactory.getLogger(SettingBinding.class);

  private static final ConfigurationPropertyName LASTCALL =
      ConfigurationPropertyName.of("lastcall");

  /** All sources but environment and system properties. */
  private static final UnboundElementsSourceFilter FILES = new UnboundElementsSourceFilter();

  /** Which the conditions read. */
  private static final List<ConfigurationPropertyName> SWITCHES =
      List.of(LASTCALL.append("enabled"), LASTCALL.append("work.enabled"));

  /** What was found of each name that was looked for; the elements of a list by its name. */
  private final Map<ConfigurationPropertyName, List<ConfigurationProperty>> found =
      new LinkedHashMap<>();

  private SettingBinding() {}

  /**
   * Gives the settings to the builder. An empty value means unset.
   *
   * @return whether there is any but those of the environment, which core reads itself
   * @throws IllegalArgumentException for an unknown name, a value that is none, or a placeholder
   *     without one, naming both
   */
  static boolean configure(GracefulShutdownBuilder builder, ConfigurableEnvironment environment) {
    SettingBinding binding = new SettingBinding();
    Binder.get(environment).bind(LASTCALL, Bindable.of(LastcallProperties.class), binding);
    binding.addUnbound(environment);
    SWITCHES.forEach(binding.found::remove);
    binding.found.remove(LASTCALL.append("stop-first"));
    binding.found.forEach(
        (name, values) -> {
          String text =
              values.stream().map(each -> text(each, environment)).collect(Collectors.joining(","));
          if (text.isEmpty()) {
            return;
          }
          String origin = origin(values.get(0));
          if (name.equals(LASTCALL)) {
            throw new IllegalArgumentException(
                "%s=%s: it has no value of its own; allowed: settings below it, such as"
                        .formatted(origin, text)
                    + " lastcall.grace-period: 30s");
          }
          addOverridden(builder, environment, values);
          builder.configuration(name.subName(1).toString(), text, origin);
        });
    return binding.found.values().stream()
        .flatMap(List::stream)
        .map(ConfigurationProperty::getSource)
        .anyMatch(source -> source != null && FILES.apply(source));
  }

  /**
   * Gives the builder what a source of higher precedence has overridden, so that the plan can name
   * it. A value that is none, or whose placeholder has no value, is none here: it does not count.
   */
  private static void addOverridden(
      GracefulShutdownBuilder builder,
      ConfigurableEnvironment environment,
      List<ConfigurationProperty> values) {
    ConfigurationProperty counts = values.get(0);
    if (counts.getName().isLastElementIndexed()) {
      return;
    }
    List<ConfigurationProperty> others = new ArrayList<>();
    for (var source : ConfigurationPropertySources.get(environment)) {
      ConfigurationProperty other = source.getConfigurationProperty(counts.getName());
      if (other != null && !other.equals(counts)) {
        others.add(0, other); // the last that is given counts
      }
    }
    for (ConfigurationProperty other : others) {
      try {
        builder.configuration(
            counts.getName().subName(1).toString(), text(other, environment), origin(other));
      } catch (IllegalArgumentException e) {
        log.debug("{} is no value, and is overridden", origin(other), e);
      }
    }
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

  @Override
  public <T> Bindable<T> onStart(
      ConfigurationPropertyName name, Bindable<T> target, BindContext context) {
    if (!name.equals(LASTCALL)) {
      found.putIfAbsent(listName(name), new ArrayList<>());
    }
    return target;
  }

  @Override
  public Object onSuccess(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Object result) {
    add(name, context.getConfigurationProperty());
    return result;
  }

  /** Boot does not know {@code 1m30s}, or {@code off} for an enum: core decides. */
  @Override
  public @Nullable Object onFailure(
      ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
    add(name, context.getConfigurationProperty());
    return null;
  }

  private void add(ConfigurationPropertyName name, @Nullable ConfigurationProperty property) {
    if (property != null && property.getName().equals(name) && !name.equals(LASTCALL)) {
      found.computeIfAbsent(listName(name), key -> new ArrayList<>()).add(property);
    }
  }

  private void addUnbound(Environment environment) {
    for (var source : ConfigurationPropertySources.get(environment)) {
      if (source instanceof IterableConfigurationPropertySource names && FILES.apply(source)) {
        names.stream()
            .filter(name -> LASTCALL.equals(name) || LASTCALL.isAncestorOf(name))
            .filter(name -> !found.containsKey(name) && isNoElement(name))
            .forEach(
                name ->
                    found
                        .computeIfAbsent(listName(name), key -> new ArrayList<>())
                        .add(names.getConfigurationProperty(name)));
      }
    }
  }

  /** Of a list that a source of higher precedence has. */
  private boolean isNoElement(ConfigurationPropertyName name) {
    return found.getOrDefault(listName(name), List.of()).isEmpty();
  }

  private static ConfigurationPropertyName listName(ConfigurationPropertyName name) {
    return name.isLastElementIndexed() ? name.getParent() : name;
  }

  /** To YAML a plain {@code off} is the boolean, and there is no setting of that type. */
  private static String text(ConfigurationProperty property, Environment environment) {
    Object value = property.getValue();
    try {
      return Boolean.FALSE.equals(value)
          ? "off"
          : environment.resolveRequiredPlaceholders(String.valueOf(value));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s: %s; allowed: a placeholder that has a value, or a default as in ${NAME:30s}"
              .formatted(origin(property), e.getMessage()),
          e);
    }
  }

  /** Where it is, and how it is spelt there. */
  private static String origin(ConfigurationProperty property) {
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
