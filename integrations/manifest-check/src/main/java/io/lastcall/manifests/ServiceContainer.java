package io.lastcall.manifests;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The container of the service among its helpers: the one that shows the library, or else the one
 * that kubectl takes by default, or else the first that is no known helper.
 */
record ServiceContainer(Yaml container, boolean hasLibrary) {
  /** Names it where settings are in code or in a file alone. */
  private static final String CONTAINER = "lastcall.io/container";

  private static final String GUARD = "lastcall.io/guard";
  private static final String DEFAULT = "kubectl.kubernetes.io/default-container";

  /** Of the agent, whatever its version, folder and options. */
  private static final Pattern AGENT =
      Pattern.compile("[\"']?-javaagent:([^\\s=]*/)?lastcall-agent[^/\\s=]*\\.jar(=.*|[\"'])?");

  /** By their names or their images' last parts. */
  private static final Set<String> PROXIES =
      Set.of(
          "istio-proxy",
          "proxyv2",
          "envoy",
          "aws-appmesh-envoy",
          "linkerd-proxy",
          "cloud-sql-proxy",
          "cloudsql-proxy",
          "gce-proxy",
          "daprd",
          "consul-dataplane",
          "kuma-sidecar",
          "kuma-dp",
          "pgbouncer",
          "vault-agent");

  private static final Set<String> COLLECTORS =
      Set.of("fluent-bit", "fluentd", "filebeat", "vector", "promtail", "otel-collector");

  static ServiceContainer choose(
      Yaml object, Yaml template, Function<Yaml, Environment> environment) {
    List<Yaml> all = template.get("spec", "containers").items();
    Optional<Yaml> named = named(annotation(object, template, CONTAINER), all);
    if (named.isPresent()) {
      return new ServiceContainer(named.get(), true);
    }
    for (Yaml each : all) {
      if (showsLibrary(each, environment.apply(each))) {
        return new ServiceContainer(each, true);
      }
    }
    Yaml first =
        named(annotation(object, template, DEFAULT), all)
            .or(() -> all.stream().filter(each -> !isHelper(each)).findFirst())
            .or(() -> all.stream().findFirst())
            .orElse(template.get("spec", "containers"));
    return new ServiceContainer(first, template.get("metadata", "labels", GUARD).is("true"));
  }

  private static String annotation(Yaml object, Yaml template, String name) {
    String own = object.get("metadata", "annotations", name).text("");
    return template.get("metadata", "annotations", name).text(own);
  }

  private static Optional<Yaml> named(String name, List<Yaml> all) {
    return all.stream().filter(each -> each.get("name").is(name)).findFirst();
  }

  private static boolean showsLibrary(Yaml container, Environment environment) {
    CommandLine line = CommandLine.of(container, environment);
    return environment.names().stream().anyMatch(name -> name.startsWith("LASTCALL_"))
        || container.get("envFrom").items().stream()
            .anyMatch(from -> from.get("prefix").text("").startsWith("LASTCALL_"))
        || environment.text(Environment.SPRING_JSON).orElse("").contains("lastcall")
        || line.javaOptions().stream().anyMatch(option -> option.startsWith("-Dlastcall."))
        || hasAgent(line, environment)
        || !line.springArguments().isEmpty();
  }

  /** Images have variables of their own for options: CATALINA_OPTS, JAVA_OPTS_APPEND. */
  private static boolean hasAgent(CommandLine line, Environment environment) {
    return Stream.concat(
            line.javaOptions().stream(),
            environment.names().stream()
                .flatMap(name -> Arrays.stream(environment.text(name).orElse("").split("\\s+"))))
        .anyMatch(option -> AGENT.matcher(option).matches());
  }

  private static boolean isHelper(Yaml container) {
    return isProxy(container) || isOneOf(COLLECTORS, container);
  }

  /** Returns whether it is a proxy through which a service's connections go. */
  static boolean isProxy(Yaml container) {
    return isOneOf(PROXIES, container);
  }

  private static boolean isOneOf(Set<String> names, Yaml container) {
    // A registry may have a port: only the last part has a tag.
    String image = container.get("image").text("").replaceFirst(".*/", "");
    return names.contains(container.get("name").text(""))
        || names.contains(image.replaceFirst("[:@].*", ""));
  }
}
