package io.lastcall.servlet;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks that a container has what a connector of this module uses of it beyond its public API. For
 * those connectors.
 */
public final class ContainerInternals {
  private static final Logger log = LoggerFactory.getLogger(ContainerInternals.class);
  private static final Pattern VERSION = Pattern.compile("(\\d+\\.\\d+)\\.(\\d+).*");

  private ContainerInternals() {}

  /**
   * Says what is not as tested, if anything is.
   *
   * @param version the container's
   * @param lines the lowest patch release that is tested of each line, such as 22 for {@code 11.0}
   * @param members the members by their class, with types by their simple names: {@code
   *     "ReentrantLock getLock()"}; alternatives are separated by {@code " | "}
   */
  public static Optional<String> problem(
      String version, Map<String, Integer> lines, Map<String, List<String>> members) {
    Matcher numbers = VERSION.matcher(version);
    Integer lowest = numbers.matches() ? lines.get(numbers.group(1)) : null;
    if (lowest == null || Integer.parseInt(numbers.group(2)) < lowest) {
      return Optional.of(
          "version %s is not tested; tested are %s".formatted(version, range(lines)));
    }
    return members.entrySet().stream()
        .flatMap(known -> missing(known.getKey(), known.getValue()).stream())
        .findFirst()
        .map(member -> "version %s has no %s".formatted(version, member));
  }

  /** Says that {@code server} has the coarse role, and why: what {@link #problem} returned. */
  public static void warnOfCoarseDrain(String problem, String server) {
    log.warn(
        "{}, so {} is drained without knowing its connections: requests are waited for and"
            + " responses say close, but what is idle then is cut when the server stops",
        problem,
        server);
  }

  private static String range(Map<String, Integer> lines) {
    return new TreeMap<>(lines)
        .entrySet().stream()
            .map(
                line -> "%s from %s.%d on".formatted(line.getKey(), line.getKey(), line.getValue()))
            .collect(Collectors.joining(", "));
  }

  private static Optional<String> missing(String type, List<String> members) {
    Set<String> known;
    try {
      known = members(Class.forName(type, false, ContainerInternals.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError gone) {
      return Optional.of(type);
    }
    return members.stream()
        .filter(member -> Arrays.stream(member.split(" \\| ")).noneMatch(known::contains))
        .findFirst()
        .map(member -> type + ": " + member);
  }

  /** Returns those of the superclasses too: a member may move there and back. */
  private static Set<String> members(Class<?> type) {
    Set<String> members = new HashSet<>();
    for (Class<?> each = type; each != null; each = each.getSuperclass()) {
      for (Method method : each.getDeclaredMethods()) {
        String parameters =
            Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        members.add(
            "%s %s(%s)"
                .formatted(method.getReturnType().getSimpleName(), method.getName(), parameters));
      }
      Arrays.stream(each.getDeclaredFields())
          .map(field -> field.getType().getSimpleName() + ' ' + field.getName())
          .forEach(members::add);
    }
    return members;
  }
}
