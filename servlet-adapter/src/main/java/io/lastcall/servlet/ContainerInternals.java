package io.lastcall.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a container has what a connector of this module uses of it beyond its public API. For
 * those connectors.
 */
public final class ContainerInternals {
  private static final Logger log = LoggerFactory.getLogger(ContainerInternals.class);
  private static final Pattern OR = Pattern.compile(" | ", Pattern.LITERAL);
  private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+)\\.(\\d+).*");

  /** What was said, since a process may have several servers of one kind. */
  private static final Set<String> said = ConcurrentHashMap.newKeySet();

  private ContainerInternals() {}

  /** The patch releases of a line that the tests have run with: the oldest and the newest. */
  public record Tested(int oldest, int newest) {
    boolean contains(int patch) {
      return oldest <= patch && patch <= newest;
    }
  }

  /**
   * Says which member is missing, if one is. What counts is what the container has, and not which
   * version it says it is.
   *
   * @param version the container's, for the text
   * @param members the members by their class, with types by their simple names: {@code
   *     "ReentrantLock getLock()"}; alternatives are separated by {@code " | "}
   */
  public static Optional<String> problem(String version, Map<String, List<String>> members) {
    return members.entrySet().stream()
        .flatMap(known -> missing(known.getKey(), known.getValue()).stream())
        .findFirst()
        .map(member -> "version %s has no %s".formatted(version, member));
  }

  /** Whether this is a native image: of a container it has only what is used. */
  public static boolean isNativeImage() {
    return "runtime".equals(System.getProperty("org.graalvm.nativeimage.imagecode"));
  }

  /** Returns the resource in which the build of a native image keeps a problem that it found. */
  public static String resource(String container) {
    return "META-INF/lastcall/" + container + ".problem";
  }

  /**
   * As {@link #problem}, in a native image: what its build found, and what is looked up here.
   *
   * @param handle of a member that is looked up by name; null if it was not found
   */
  public static Optional<String> problemAtBuild(String container, @Nullable MethodHandle handle) {
    try (InputStream found =
        ContainerInternals.class.getClassLoader().getResourceAsStream(resource(container))) {
      if (found != null) {
        return Optional.of(new String(found.readAllBytes(), StandardCharsets.UTF_8).strip());
      }
    } catch (IOException e) {
      return Optional.of("%s: %s cannot be read".formatted(container, resource(container)));
    }
    return handle != null
        ? Optional.empty()
        : Optional.of(
            "%s: the image has no reachability metadata of lastcall-servlet".formatted(container));
  }

  /**
   * Logs, once in this process, that no test has run with a version that has every member.
   *
   * @param container such as {@code Tomcat}
   * @param tested by line, such as {@code 11.0}
   */
  public static void informIfUntested(
      String container, String version, Map<String, Tested> tested) {
    Matcher numbers = VERSION.matcher(version);
    Tested line = numbers.matches() ? tested.get(numbers.group(1)) : null;
    boolean known = line != null && line.contains(Integer.parseInt(numbers.group(2)));
    if (!known && !isNativeImage() && said.add(container + version)) {
      log.info(
          "{} {} is drained exactly, since it has every member that is used; tested are {}",
          container,
          version,
          range(tested));
    }
  }

  /** Says that {@code server} has the coarse role, and why: what {@link #problem} returned. */
  public static void warnOfCoarseDrain(String problem, String server) {
    log.warn(
        "{}, so {} is drained without knowing its connections: requests are waited for and"
            + " responses say close, but what is idle then is cut when the server stops",
        problem,
        server);
  }

  /**
   * Refuses a connector that is served and cannot be drained without loss, unless it may have the
   * coarse role: then a warning says why.
   *
   * @throws IllegalStateException if it may not
   */
  public static void refuseOrWarn(String obstacle, String server, boolean mayBeCoarse) {
    if (!mayBeCoarse) {
      throw new IllegalStateException(obstacle);
    }
    warnOfCoarseDrain(obstacle, server);
  }

  private static String range(Map<String, Tested> tested) {
    return new TreeMap<>(tested)
        .entrySet().stream()
            .map(
                line ->
                    "%1$s.%2$d to %1$s.%3$d"
                        .formatted(line.getKey(), line.getValue().oldest, line.getValue().newest))
            .collect(Collectors.joining(", "));
  }

  private static Optional<String> missing(String type, List<String> members) {
    Set<String> known;
    try {
      known =
          named(
              names(members),
              Class.forName(type, false, ContainerInternals.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError gone) {
      return Optional.of(type);
    }
    return members.stream()
        .filter(member -> OR.splitAsStream(member).noneMatch(known::contains))
        .findFirst()
        .map(member -> type + ": " + member);
  }

  private static Set<String> names(List<String> members) {
    Set<String> names = new HashSet<>();
    for (String member : members) {
      for (String each : OR.split(member, -1)) {
        int parameters = each.indexOf('(');
        int end = parameters < 0 ? each.length() : parameters;
        names.add(each.substring(each.lastIndexOf(' ', end) + 1, end));
      }
    }
    return names;
  }

  /**
   * Returns those of the superclasses too: a member may move there and back. A container has a
   * hundred times as many as are asked for, and its start waits for this.
   */
  private static Set<String> named(Set<String> names, Class<?> type) {
    Set<String> members = new HashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        if (names.contains(method.getName())) {
          members.add(text(method));
        }
      }
      for (Field field : each.getDeclaredFields()) {
        if (names.contains(field.getName())) {
          members.add(field.getType().getSimpleName() + ' ' + field.getName());
        }
      }
    }
    return members;
  }

  private static String text(Method method) {
    StringJoiner parameters = new StringJoiner(", ", "(", ")");
    for (Class<?> parameter : method.getParameterTypes()) {
      parameters.add(parameter.getSimpleName());
    }
    return method.getReturnType().getSimpleName() + ' ' + method.getName() + parameters;
  }
}
