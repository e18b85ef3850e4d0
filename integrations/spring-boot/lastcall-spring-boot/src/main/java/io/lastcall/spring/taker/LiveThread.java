package io.lastcall.spring.taker;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs, with its stack.
 *
 * @param stack the innermost frame first
 */
record LiveThread(String name, Kind kind, List<StackTraceElement> stack) {
  /** Spring's executors and proxies run code of others. */
  private static final List<String> RUNNERS =
      List.of(
          "org.springframework.aop.",
          "org.springframework.cglib.",
          "org.springframework.core.task.",
          "org.springframework.scheduling.",
          "org.springframework.security.",
          "io.micrometer.context.");

  private static final List<String> JDK = List.of("java.", "jdk.", "sun.", "com.sun.");

  private static final List<String> COUNTED =
      List.of("io.lastcall.work.Counted", "io.lastcall.spring.CountedTasks");

  /** Known, and stopped at the trigger. */
  private static final List<String> SCHEDULED =
      List.of(
          "org.springframework.scheduling.support.ScheduledMethodRunnable",
          "io.lastcall.spring.ScheduledRuns");

  /** The JDK's methods in which a loop waits for its next piece, or for its next turn. */
  private static final Set<String> PAUSES =
      Set.of(
          "sleep",
          "wait",
          "take",
          "takeFirst",
          "takeLast",
          "poll",
          "pollFirst",
          "pollLast",
          "park",
          "parkNanos",
          "parkUntil",
          "await",
          "awaitNanos",
          "awaitUntil",
          "accept",
          "select");

  /** As the JVM has it: it waits for a platform thread that is no daemon, and for no other. */
  enum Kind {
    PLATFORM,
    DAEMON,
    VIRTUAL
  }

  /**
   * The outermost code that is neither the JDK's nor one of Spring's executors.
   *
   * @param isCounted whether it runs as a task of an executor that the shutdown waits for
   */
  record Code(String type, boolean isCounted) {}

  /** Returns those of the JVM, without the calling thread and the library's own. */
  static List<LiveThread> all() {
    List<LiveThread> live = new ArrayList<>();
    Map<Thread, StackTraceElement[]> platform = Thread.getAllStackTraces();
    platform.forEach(
        (thread, stack) -> {
          if (thread != Thread.currentThread() && !thread.getName().startsWith("lastcall-")) {
            live.add(of(thread, stack));
          }
        });
    live.addAll(VirtualThreads.all(platform.keySet()));
    return live;
  }

  static LiveThread of(Thread thread) {
    return of(thread, thread.getStackTrace());
  }

  private static LiveThread of(Thread thread, StackTraceElement[] stack) {
    Kind kind = thread.isDaemon() ? Kind.DAEMON : Kind.PLATFORM;
    return new LiveThread(thread.getName(), kind, List.of(stack));
  }

  /** Returns null of the main thread, of one that exits, and of a {@code @Scheduled} run. */
  @Nullable Code code() {
    if (isIn("java.lang.Shutdown.")) {
      return null;
    }
    List<StackTraceElement> outermostFirst = new ArrayList<>(stack);
    Collections.reverse(outermostFirst);
    boolean counted = false;
    for (StackTraceElement each : outermostFirst) {
      String type = each.getClassName();
      counted |= startsWithAny(type, COUNTED);
      if (startsWithAny(type, SCHEDULED)) {
        return null;
      }
      if (!isJdk(type) && !startsWithAny(type, RUNNERS) && !startsWithAny(type, COUNTED)) {
        return each.getMethodName().equals("main") ? null : new Code(type, counted);
      }
    }
    return null;
  }

  /** Returns whether it runs code of a package, or class, with a dot at its end. */
  boolean isIn(String name) {
    return stack.stream().anyMatch(each -> (each.getClassName() + ".").startsWith(name));
  }

  /** Returns the outermost class of those that are asked for. */
  Optional<String> outermost(Predicate<String> types) {
    return stack.stream()
        .map(StackTraceElement::getClassName)
        .filter(types)
        .reduce((inner, outer) -> outer);
  }

  static boolean isJdk(String type) {
    return startsWithAny(type, JDK);
  }

  private static boolean startsWithAny(String type, List<String> prefixes) {
    return prefixes.stream().anyMatch(type::startsWith);
  }

  /**
   * Returns whether it is a daemon that pauses: one with a loop of its own, no pool's, whose code
   * waits in the JDK and has called no other class. Its author has said that it may be cut, and
   * nothing says that it has a piece of work.
   */
  boolean isPausingDaemon() {
    if (kind != Kind.DAEMON) {
      return false;
    }
    int innermost = 0;
    while (innermost < stack.size() && isJdk(innermost)) {
      innermost++;
    }
    int outermost = stack.size() - 1;
    while (outermost >= 0 && isJdk(outermost)) {
      outermost--;
    }
    return innermost > 0
        && innermost <= outermost
        && PAUSES.contains(stack.get(innermost - 1).getMethodName())
        && stack.subList(innermost, outermost + 1).stream()
            .allMatch(each -> isOfClass(each, outermostClass()))
        && stack.subList(outermost + 1, stack.size()).stream()
            .noneMatch(each -> each.getClassName().startsWith("java.util."));
  }

  private boolean isJdk(int frame) {
    return isJdk(stack.get(frame).getClassName());
  }

  private String outermostClass() {
    Code code = code();
    return code == null ? "" : topLevel(code.type());
  }

  private static boolean isOfClass(StackTraceElement frame, String type) {
    return topLevel(frame.getClassName()).equals(type);
  }

  private static String topLevel(String type) {
    int nested = type.indexOf('$');
    return nested < 0 ? type : type.substring(0, nested);
  }
}
