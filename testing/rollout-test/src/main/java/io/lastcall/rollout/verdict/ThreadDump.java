package io.lastcall.rollout.verdict;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a JVM's thread dump out of a log. */
final class ThreadDump {
  private ThreadDump() {}

  /** The stacks of the last dump, each with its thread's line in front. */
  private static List<List<String>> stacks(List<String> log) {
    List<List<String>> stacks = new ArrayList<>();
    List<String> current = new ArrayList<>();
    for (String line : log) {
      if (line.startsWith("Full thread dump")) {
        stacks.clear();
      }
      if (line.startsWith("\"")) {
        current = new ArrayList<>();
        stacks.add(current);
      }
      if (line.isBlank()) {
        current = new ArrayList<>();
      }
      current.add(line.strip());
    }
    return stacks;
  }

  private static boolean has(List<String> stack, String frame) {
    return stack.stream().anyMatch(line -> line.startsWith("at " + frame));
  }

  /**
   * Whether a thread waits in System.exit for a shutdown that has begun, while the shutdown waits
   * for its hooks.
   */
  static boolean hasExitInHook(List<String> log) {
    List<List<String>> stacks = stacks(log);
    return stacks.stream()
            .anyMatch(
                stack ->
                    has(stack, "java.lang.Shutdown.exit")
                        && stack.stream().anyMatch(line -> line.contains("waiting to lock")))
        && isShuttingDown(log);
  }

  /** Whether a thread runs the shutdown's hooks, or waits for them. */
  static boolean isShuttingDown(List<String> log) {
    return stacks(log).stream()
        .anyMatch(
            stack ->
                has(stack, "java.lang.ApplicationShutdownHooks.runHooks")
                    || has(stack, "java.lang.Shutdown.runHooks"));
  }

  /** The innermost frames of a hook that runs: what the end waits for. */
  static Optional<String> hangingHook(List<String> log) {
    for (List<String> stack : stacks(log)) {
      boolean waitsForHooks = has(stack, "java.lang.ApplicationShutdownHooks");
      boolean hook =
          stack.get(0).matches("\"(Thread-\\d+|.*[Ss]hutdown.*|.*[Hh]ook.*)\".*")
              && stack.size() > 2;
      if (hook && !waitsForHooks) {
        String name = stack.get(0).substring(1, stack.get(0).indexOf('"', 1));
        String frame =
            stack.stream()
                .filter(line -> line.startsWith("at ") && !line.startsWith("at java.base"))
                .filter(line -> !line.startsWith("at java.") && !line.startsWith("at jdk."))
                .findFirst()
                .orElse(stack.get(stack.size() - 1));
        return Optional.of("thread \"" + name + "\" " + frame);
      }
    }
    return Optional.empty();
  }
}
