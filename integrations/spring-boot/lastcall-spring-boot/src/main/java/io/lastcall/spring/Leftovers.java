package io.lastcall.spring;

import io.lastcall.spring.taker.OwnThreads;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * Looks for what the close of a context has left running, or may have cut. It is a lifecycle that
 * stops last, when all that is counted has ended and before beans are destroyed: threads of
 * libraries in the application's code are then pieces of a taker that is not known, and a
 * connection that is destroyed may interrupt them.
 */
final class Leftovers implements SmartLifecycle {
  private final Map<String, Lifecycle> beans = new TreeMap<>();
  private volatile boolean running;

  /** Null until a shutdown closes the context: another close cuts nothing that it has to report. */
  private volatile @Nullable OwnThreads threads;

  /** Threads of libraries, as the last lifecycle stopped. */
  private volatile List<String> lent = List.of();

  /** Called before a shutdown closes the context, by the thread that does. */
  void beforeClose(ConfigurableApplicationContext context) {
    // Spring stops each bean, waits for it as long as it waits for a phase, and says no more.
    context.getBeansOfType(Lifecycle.class, false, false).forEach(beans::put);
    beans
        .values()
        .removeIf(bean -> bean.equals(context) || saysSoAlways(bean) || !bean.isRunning());
    threads = OwnThreads.of(context.getBeanFactory());
  }

  /**
   * Spring's HTTP clients on Reactor Netty run after their stop, and handlers of Spring Integration
   * as long as what they call: their endpoints tell.
   */
  private static boolean saysSoAlways(Lifecycle bean) {
    String type = bean.getClass().getName();
    return type.startsWith("org.springframework.http.client.")
        || (type.startsWith("org.springframework.integration.")
            && !(bean instanceof SmartLifecycle));
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    OwnThreads known = threads;
    if (known != null) {
      lent = known.lent();
    }
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /** Stops last. */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE;
  }

  /**
   * Waits for threads, after the close.
   *
   * @throws IllegalStateException if there is one of either
   */
  void refuse(Deadline deadline) {
    beans.values().removeIf(bean -> !bean.isRunning());
    List<String> left = new ArrayList<>(beans.keySet());
    OwnThreads known = threads;
    if (known != null) {
      known.awaitCut(deadline).forEach(each -> left.add("thread " + each));
    }
    List<String> cut = new ArrayList<>();
    lent.forEach(each -> cut.add("thread " + each));
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
