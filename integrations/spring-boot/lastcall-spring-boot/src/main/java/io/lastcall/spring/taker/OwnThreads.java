package io.lastcall.spring.taker;

import io.lastcall.plan.Durations;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;

/**
 * Threads with code of the application. Those that it has begun itself are known by their outermost
 * code: what comes after the JDK's own, and Spring's executors, is a bean's class, or one of the
 * application's packages. A thread of a server, a listener container or a client has other code
 * there, and lends itself to the application's.
 */
public final class OwnThreads {
  private static final Duration AGAIN = Duration.ofMillis(10);

  /** A callback of a library's that is no piece of work has ended by then. */
  private static final Duration A_MOMENT = Duration.ofMillis(100);

  /** The first two names of a package. */
  private static final Pattern LIBRARY = Pattern.compile("[^.$]+\\.[^.$]+\\.");

  /** Classes, without those they hold, with the names of their beans. */
  private final Map<String, List<String>> beans = new HashMap<>();

  private final List<String> packages;

  private OwnThreads(List<String> packages) {
    this.packages = packages;
  }

  /**
   * A thread that runs.
   *
   * @param type the application's class whose code it runs
   * @param beans the names of those of its class, none where no bean is
   */
  record Found(LiveThread thread, String type, List<String> beans, Owner owner) {
    @Override
    public String toString() {
      return "%s (%s)".formatted(thread.name(), beans.isEmpty() ? type : String.join(", ", beans));
    }
  }

  /** Whose thread it is; {@code COUNTED} where the shutdown counts what it runs. */
  enum Owner {
    APPLICATION,
    COUNTED,
    LIBRARY
  }

  /** Knows the beans that are made by now. */
  public static OwnThreads of(ConfigurableListableBeanFactory factory) {
    OwnThreads own =
        new OwnThreads(
            AutoConfigurationPackages.has(factory)
                ? AutoConfigurationPackages.get(factory).stream()
                    .filter(each -> !each.isEmpty())
                    .toList()
                : List.of());
    for (String name : factory.getSingletonNames()) {
      Object bean = factory.getSingleton(name);
      if (bean != null && !name.startsWith(BeanKinds.OWN_NAME)) {
        own.add(name, AopProxyUtils.ultimateTargetClass(bean));
      }
    }
    return own;
  }

  private void add(String name, Class<?> type) {
    for (Class<?> each = type;
        each != null && !isOfSpringOrJdk(each.getName());
        each = each.getSuperclass()) {
      beans.computeIfAbsent(each.getName(), missing -> new ArrayList<>()).add(name);
    }
  }

  private static boolean isOfSpringOrJdk(String type) {
    return type.startsWith("org.springframework.") || LiveThread.isJdk(type);
  }

  /** Returns those that the application, or a bean, has begun, with tasks that are counted. */
  List<Found> begun() {
    return LiveThread.all().stream().flatMap(each -> begun(each).stream()).toList();
  }

  private List<Found> running() {
    return LiveThread.all().stream()
        .flatMap(each -> lent(each).or(() -> begun(each)).stream())
        .toList();
  }

  /** Returns what a thread runs, if the application, or a bean, has begun it. */
  Optional<Found> begun(Thread thread) {
    return begun(LiveThread.of(thread));
  }

  private Optional<Found> begun(LiveThread thread) {
    LiveThread.Code code = thread.code();
    if (code == null) {
      return Optional.empty();
    }
    List<String> owners = beansOf(code.type());
    Owner owner = code.isCounted() ? Owner.COUNTED : Owner.APPLICATION;
    return owners.isEmpty() && !isOfApplication(code.type())
        ? Optional.empty()
        : Optional.of(new Found(thread, code.type(), owners, owner));
  }

  /** A bean may be of a library; one whose package begins as the application's do is not. */
  private Optional<Found> lent(LiveThread thread) {
    LiveThread.Code code = thread.code();
    return code == null || code.isCounted() || isNearApplication(code.type())
        ? Optional.empty()
        : thread
            .outermost(this::isOfApplication)
            .map(type -> new Found(thread, type, beansOf(type), Owner.LIBRARY));
  }

  private boolean isNearApplication(String type) {
    return isOfApplication(type)
        || packages.stream()
            .map(each -> LIBRARY.matcher(each + "."))
            .anyMatch(root -> root.lookingAt() && type.startsWith(root.group()));
  }

  /** Returns whether a class is not the application's; false where its packages are not known. */
  boolean isOfLibrary(String type) {
    return !packages.isEmpty() && !isNearApplication(type);
  }

  /** Returns the names of the beans of a class, or of the class that it is within. */
  private List<String> beansOf(String type) {
    for (String each = type;
        !each.isEmpty();
        each = each.substring(0, Math.max(0, each.lastIndexOf('$')))) {
      List<String> names = beans.get(each);
      if (names != null) {
        return names;
      }
    }
    return List.of();
  }

  /** Returns whether a class is in a package of the application. */
  boolean isOfApplication(String type) {
    return packages.stream().anyMatch(each -> type.startsWith(each + "."));
  }

  /**
   * Waits until the threads of a bean have ended, and those of its library have left the
   * application's code; not for those that another bean of its class may have begun, nor for tasks
   * that are counted.
   */
  void awaitEnd(String bean) throws InterruptedException {
    Deadline none = Deadline.after(Deadline.LONGEST, Ticker.system());
    if (!await(each -> isOf(bean, each), none).isEmpty() && Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private boolean isOf(String bean, Found found) {
    return switch (found.owner()) {
      case APPLICATION -> found.beans().equals(List.of(bean));
      case LIBRARY -> libraries(bean).stream().anyMatch(found.thread()::isIn);
      case COUNTED -> false;
    };
  }

  /** Returns the packages of the classes of a bean that is not the application's, as io.nats. */
  private List<String> libraries(String bean) {
    return beans.entrySet().stream()
        .filter(each -> each.getValue().contains(bean) && !isOfApplication(each.getKey()))
        .map(each -> LIBRARY.matcher(each.getKey()))
        .filter(Matcher::lookingAt)
        .map(Matcher::group)
        .toList();
  }

  /**
   * Waits for those whose code the end of the process would cut: platform threads that are no
   * daemons; daemons, virtual threads and those of libraries that are in the application's code.
   *
   * @return those that run still at the deadline
   */
  public List<String> awaitCut(Deadline deadline) {
    List<Found> left = await(this::isCut, deadline);
    return List.copyOf(new TreeSet<>(left.stream().map(Found::toString).toList()));
  }

  /**
   * Waits until there is none of some threads, the deadline has passed or the calling thread is
   * interrupted. Looks at all threads again and again, but for a tenth of the time at most.
   *
   * @return those that are left
   */
  private List<Found> await(Predicate<Found> awaited, Deadline deadline) {
    while (true) {
      Duration begun = deadline.remaining();
      List<Found> left = running().stream().filter(awaited).toList();
      if (left.isEmpty() || deadline.hasPassed() || Thread.currentThread().isInterrupted()) {
        return left;
      }
      Duration look = begun.minus(deadline.remaining());
      deadline.atMost(Durations.max(AGAIN, look.multipliedBy(9))).park(this);
    }
  }

  private boolean isCut(Found found) {
    return switch (found.owner()) {
      case APPLICATION ->
          found.thread().kind() == LiveThread.Kind.PLATFORM
              || (isOfApplication(found.type()) && !found.thread().isPausingDaemon());
      case LIBRARY -> true;
      case COUNTED -> false; // the report has it
    };
  }

  /** Returns those of libraries that are in the application's code, and in it a moment later. */
  public List<String> lent() {
    List<String> first = lentNow();
    if (first.isEmpty()) {
      return first;
    }
    Deadline.after(A_MOMENT, Ticker.system()).awaitPassed(this);
    List<String> both = new ArrayList<>(lentNow());
    both.retainAll(first);
    return both;
  }

  private List<String> lentNow() {
    return running().stream()
        .filter(each -> each.owner() == Owner.LIBRARY)
        .map(Found::toString)
        .toList();
  }
}
