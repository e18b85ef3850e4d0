package io.lastcall.spring.taker;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.util.ClassUtils;

/**
 * Threads that the application has begun itself. Each is known by its outermost code: what comes
 * after the JDK's own is a bean's class, or one of the application's packages. A thread of a
 * server, a listener container or a counted executor has other code there. Virtual threads are not
 * seen, since the JVM has no list of them.
 */
public final class OwnThreads {
  private static final Duration AGAIN = Duration.ofMillis(10);

  /** Classes, without those they hold, with the names of their beans. */
  private final Map<String, List<String>> beans = new HashMap<>();

  private final List<String> packages;

  private OwnThreads(List<String> packages) {
    this.packages = packages;
  }

  /**
   * A thread that runs.
   *
   * @param type whose code it is
   * @param beans their names, none where no bean is of that class
   */
  record Found(Thread thread, String type, List<String> beans) {
    @Override
    public String toString() {
      String owner = beans.isEmpty() ? type : String.join(", ", beans);
      return "%s (%s)".formatted(thread.getName(), owner);
    }
  }

  /** Knows the beans that are made by now. */
  public static OwnThreads of(ConfigurableListableBeanFactory factory) {
    OwnThreads own =
        new OwnThreads(
            AutoConfigurationPackages.has(factory)
                ? AutoConfigurationPackages.get(factory)
                : List.of());
    for (String name : factory.getSingletonNames()) {
      Object bean = factory.getSingleton(name);
      if (bean != null && !name.startsWith(ServingBeans.OWN_NAME)) {
        own.add(name, target(bean).getClass());
      }
    }
    return own;
  }

  /** Returns what a proxy stands for; another bean as it is. */
  static Object target(Object bean) {
    Object target = AopProxyUtils.getSingletonTarget(bean);
    return target == null ? bean : target;
  }

  private void add(String name, Class<?> type) {
    for (Class<?> each = ClassUtils.getUserClass(type);
        each != null && !ServingBeans.isOfLibraries(each.getName());
        each = each.getSuperclass()) {
      beans.computeIfAbsent(each.getName(), missing -> new ArrayList<>()).add(name);
    }
  }

  /** Returns those that run. */
  List<Found> running() {
    List<Found> found = new ArrayList<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              Found own = own(thread, stack);
              if (own != null) {
                found.add(own);
              }
            });
    return found;
  }

  private @Nullable Found own(Thread thread, StackTraceElement[] stack) {
    String type = thread == Thread.currentThread() ? null : outermost(stack);
    if (type == null) {
      return null;
    }
    for (String each = type;
        !each.isEmpty();
        each = each.substring(0, Math.max(0, each.lastIndexOf('$')))) {
      List<String> names = beans.get(each);
      if (names != null) {
        return new Found(thread, each, names);
      }
    }
    return packages.stream().anyMatch(each -> type.startsWith(each + "."))
        ? new Found(thread, type, List.of())
        : null;
  }

  /** Returns the class of the outermost code; null of the main thread, and of one that exits. */
  private static @Nullable String outermost(StackTraceElement[] stack) {
    String type = null;
    for (StackTraceElement each : stack) {
      if (each.getClassName().equals("java.lang.Shutdown")) {
        return null;
      }
      if (!ServingBeans.isJdk(each.getClassName())) {
        type = each.getMethodName().equals("main") ? null : each.getClassName();
      }
    }
    return type;
  }

  /**
   * Waits until the threads of a bean have ended; not for those that another bean of its class may
   * have begun.
   */
  void awaitEnd(String bean) throws InterruptedException {
    List<String> alone = List.of(bean);
    List<Thread> left = threads(alone);
    while (!left.isEmpty()) {
      left.get(0).join(AGAIN.toMillis()); // a pool's thread stays, and has other code then
      left = threads(alone);
    }
  }

  private List<Thread> threads(List<String> owners) {
    return running().stream()
        .filter(each -> each.beans().equals(owners))
        .map(Found::thread)
        .toList();
  }

  /**
   * Waits for those that are no daemons: the JVM's own word for a thread that must not be cut.
   *
   * @return those that run still at the deadline
   */
  public List<String> awaitNonDaemons(Deadline deadline) {
    Thread waiting = Thread.currentThread();
    List<Found> left = nonDaemons();
    while (!left.isEmpty() && !deadline.hasPassed() && !waiting.isInterrupted()) {
      deadline.atMost(AGAIN).park(this);
      left = nonDaemons();
    }
    return List.copyOf(new TreeSet<>(left.stream().map(Found::toString).toList()));
  }

  private List<Found> nonDaemons() {
    return running().stream().filter(each -> !each.thread().isDaemon()).toList();
  }
}
