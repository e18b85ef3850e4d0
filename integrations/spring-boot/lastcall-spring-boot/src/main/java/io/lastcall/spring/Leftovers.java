package io.lastcall.spring;

import io.lastcall.spring.taker.OwnThreads;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;

/** Looks for what the close of a context has left running, or may have cut. */
final class Leftovers {
  private final Map<String, Lifecycle> running = new TreeMap<>();
  private final OwnThreads threads;
  private final LentThreads lent;

  /** Spring stops each bean, waits for it as long as it waits for a phase, and says no more. */
  Leftovers(ConfigurableApplicationContext context, LentThreads lent) {
    this.threads = OwnThreads.of(context.getBeanFactory());
    this.lent = lent;
    lent.lookFor(threads);
    context.getBeansOfType(Lifecycle.class, false, false).forEach(running::put);
    running.values().removeIf(bean -> bean.equals(context) || isClient(bean) || !bean.isRunning());
  }

  /** Spring's HTTP clients on Reactor Netty: {@code isRunning()} stays true after their stop. */
  private static boolean isClient(Lifecycle bean) {
    return bean.getClass().getName().startsWith("org.springframework.http.client.");
  }

  /**
   * Waits for threads, after the close.
   *
   * @throws IllegalStateException if there is one of either
   */
  void refuse(Deadline deadline) {
    running.values().removeIf(bean -> !bean.isRunning());
    List<String> left = new ArrayList<>(running.keySet());
    threads.awaitCut(deadline).forEach(each -> left.add("thread " + each));
    List<String> cut = new ArrayList<>();
    lent.lent().forEach(each -> cut.add("thread " + each));
    cut.removeAll(left);
    if (!left.isEmpty() || !cut.isEmpty()) {
      throw new IllegalStateException(
          Stream.of(
                  list("still running after the context's close: ", left),
                  list("in a piece of work as the context's beans were destroyed: ", cut))
              .filter(each -> !each.isEmpty())
              .collect(Collectors.joining("; ")));
    }
  }

  private static String list(String state, List<String> names) {
    return names.isEmpty() ? "" : state + String.join(", ", names);
  }
}
