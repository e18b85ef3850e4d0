package io.lastcall.manifests;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** A container's variables, as the kubelet makes them, as far as their values are at hand. */
final class Environment {
  /** A configuration of Spring Boot's as JSON. */
  static final String SPRING_JSON = "SPRING_APPLICATION_JSON";

  /**
   * A variable.
   *
   * @param text empty if the value is not at hand
   * @param source what it is from, in words
   */
  record Variable(Yaml where, Optional<String> text, String source) {}

  private final Map<String, Variable> variables = new LinkedHashMap<>();

  /** Variables of ConfigMaps and Secrets whose place one of the manifest has taken. */
  private final Map<String, Variable> replaced = new LinkedHashMap<>();

  /** Prefixes of ConfigMaps and Secrets that are not at hand, with their names. */
  private final Map<String, String> unseen = new LinkedHashMap<>();

  private final Function<String, Optional<Yaml>> objects;

  /**
   * @param objects finds an object of the namespace by kind and name: {@code ConfigMap/settings}
   */
  Environment(Yaml container, Function<String, Optional<Yaml>> objects) {
    this.objects = objects;
    container.get("envFrom").items().forEach(this::addAll);
    container.get("env").items().forEach(this::add);
  }

  private void addAll(Yaml from) {
    boolean isMap = from.get("configMapRef").isPresent();
    String kind = isMap ? "ConfigMap" : "Secret";
    String name = from.get(isMap ? "configMapRef" : "secretRef", "name").text("");
    String prefix = from.get("prefix").text("");
    Optional<Map<String, Variable>> data = objects.apply(kind + "/" + name).map(this::data);
    if (data.isEmpty()) {
      unseen.put(prefix, kind + " " + name);
    }
    data.ifPresent(all -> all.forEach((key, value) -> variables.put(prefix + key, value)));
  }

  private void add(Yaml variable) {
    String name = variable.get("name").text("");
    Yaml value = variable.get("value");
    Yaml from = variable.get("valueFrom");
    Variable before = variables.get(name);
    if (before != null) {
      replaced.put(name, before);
    }
    if (from.isPresent() && !value.isPresent()) {
      variables.put(name, referred(from));
    } else {
      variables.put(name, new Variable(value, expand(value.text("")), "another variable"));
    }
  }

  private Variable referred(Yaml from) {
    for (String kind : List.of("ConfigMap", "Secret")) {
      Yaml reference = from.get(kind.equals("Secret") ? "secretKeyRef" : "configMapKeyRef");
      if (reference.isPresent()) {
        String name = kind + "/" + reference.get("name").text("");
        Optional<Variable> found =
            objects
                .apply(name)
                .map(this::data)
                .map(data -> data.get(reference.get("key").text("")));
        return found.orElse(new Variable(from, Optional.empty(), name.replace('/', ' ')));
      }
    }
    return new Variable(from, Optional.empty(), String.join(", ", from.keys()));
  }

  private Map<String, Variable> data(Yaml object) {
    Map<String, Variable> data = new LinkedHashMap<>();
    boolean isSecret = object.get("kind").is("Secret");
    String source = object.get("kind").text("") + " " + object.get("metadata", "name").text("");
    object
        .get("data")
        .members()
        .forEach(
            (key, value) ->
                data.put(
                    key,
                    new Variable(
                        value, isSecret ? decoded(value.text("")) : value.text(), source)));
    object
        .get("stringData")
        .members()
        .forEach((key, value) -> data.put(key, new Variable(value, value.text(), source)));
    return data;
  }

  private static Optional<String> decoded(String base64) {
    try {
      byte[] bytes = Base64.getMimeDecoder().decode(base64);
      return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // a placeholder
    }
  }

  Set<String> names() {
    return variables.keySet();
  }

  Map<String, Variable> variables() {
    return variables;
  }

  /** Returns the variable of the same name that this one has taken the place of. */
  Optional<Variable> replaced(String name) {
    return Optional.ofNullable(replaced.get(name));
  }

  /** Returns a variable's value; empty if it is not set or not at hand. */
  Optional<String> text(String name) {
    return Optional.ofNullable(variables.get(name)).flatMap(Variable::text);
  }

  /** Returns where a variable is set. */
  Optional<Yaml> where(String name) {
    return Optional.ofNullable(variables.get(name)).map(Variable::where);
  }

  /** Returns what may set a variable to a value that is not at hand, in words. */
  Optional<String> unseen(String name) {
    Variable variable = variables.getOrDefault(name, variables.get(SPRING_JSON));
    if (variable != null && variable.text().isEmpty()) {
      return Optional.of(variable.source());
    }
    return variables.containsKey(name)
        ? Optional.empty()
        : unseen.entrySet().stream()
            .filter(source -> name.startsWith(source.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
  }

  /**
   * Puts variables in for {@code $(NAME)}, as the kubelet does; {@code $$} is a dollar sign.
   *
   * @return empty if a value is not at hand
   */
  Optional<String> expand(String text) {
    if (text.indexOf('$') < 0) {
      return Optional.of(text);
    }
    StringBuilder expanded = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      boolean isDollar = text.charAt(i) == '$' && i + 1 < text.length();
      int end = isDollar && text.charAt(i + 1) == '(' ? text.indexOf(')', i) : -1;
      if (isDollar && text.charAt(i + 1) == '$') {
        expanded.append(text.charAt(++i));
      } else if (end > 0) {
        String name = text.substring(i + 2, end);
        if (isUnseen(name)) {
          return Optional.empty();
        }
        expanded.append(text(name).orElse("$(" + name + ")"));
        i = end;
      } else {
        expanded.append(text.charAt(i));
      }
    }
    return Optional.of(expanded.toString());
  }

  private boolean isUnseen(String name) {
    Variable variable = variables.get(name);
    // The kubelet itself sets a Service's address.
    return variable == null
        ? name.endsWith("_SERVICE_HOST") || unseen.keySet().stream().anyMatch(name::startsWith)
        : variable.text().isEmpty();
  }
}
