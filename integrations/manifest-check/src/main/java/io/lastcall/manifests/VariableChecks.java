package io.lastcall.manifests;

import java.util.List;
import java.util.Optional;

/** Whether the container's variables arrive, above all the one that has the agent. */
final class VariableChecks {
  /** The JVM itself reads these, and an image may have options of its own in them. */
  private static final List<String> OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS");

  private VariableChecks() {}

  static void check(Workload pod) {
    for (Yaml variable : pod.container.get("env").items()) {
      if (!variable.get("value").text("").isEmpty() && variable.get("valueFrom").isPresent()) {
        pod.find(
            Rule.VARIABLE_REFUSED,
            variable.get("valueFrom"),
            "%s has value and valueFrom, and the API server refuses it: a patch that sets value"
                + " needs valueFrom: null as well",
            variable.get("name").text("?"));
      }
    }
    OPTIONS.forEach(name -> checkOptions(pod, name));
  }

  private static void checkOptions(Workload pod, String name) {
    Yaml where = pod.environment.where(name).orElse(pod.container);
    String options = pod.environment.text(name).orElse("");
    if (options.contains("$(")) {
      pod.find(
          Rule.JAVA_OPTIONS_LOST,
          where,
          "the JVM gets %s as it stands, and does not start: no variable above %s has that name",
          options.substring(options.indexOf("$(")).replaceFirst("\\).*", ")"),
          name);
    }
    Optional<String> gone = pod.environment.replaced(name).flatMap(Environment.Variable::text);
    if (gone.isPresent() && !gone.get().isBlank() && !options.contains(gone.get().strip())) {
      pod.find(
          Rule.JAVA_OPTIONS_LOST,
          where,
          "it takes the place of the %s from %s, whose options are lost: %s. Write them here too",
          name,
          pod.environment.replaced(name).map(Environment.Variable::source).orElse(""),
          gone.get().strip());
    }
  }
}
