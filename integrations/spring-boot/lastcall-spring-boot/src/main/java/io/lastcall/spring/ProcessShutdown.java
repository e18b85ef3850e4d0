package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Step;
import io.lastcall.pool.ConnectionPool;
import io.lastcall.probe.Condition;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.Probes;
import io.lastcall.report.ShutdownListener;
import io.lastcall.spring.taker.Takers;
import io.lastcall.work.WorkSource;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The shutdown of the process, as one context holds it. There is one for a process and there may be
 * several contexts, in tests above all: the first installs it, the others join, and with the last
 * that is closed it is uninstalled. A context that is closed ends no JVM, and takes back all that
 * it has added to the shutdown.
 */
final class ProcessShutdown implements Takers, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProcessShutdown.class);
  private static final Object LOCK = new Object();
  private static final int MOST_OF_A_NAME = 1_000;

  // Guarded by LOCK.
  private static @Nullable GracefulShutdown installed;
  private static List<Condition> followed = List.of();
  private static int holders;

  /** That contexts have added: others are the application's own. */
  private static final Set<DrainableServer> ofContexts = ConcurrentHashMap.newKeySet();

  /** Of the contexts that are open. */
  private static final List<ContextBridge> bridges = new CopyOnWriteArrayList<>();

  private final GracefulShutdown shutdown;
  private final boolean ours;

  /** What the contexts say of their readiness and liveness. */
  private final List<Condition> conditions;

  /** By identity: some are equal to others of their class. */
  private final Set<Object> stoppedFirst =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  /** Each takes back something of the context's. */
  private final List<Runnable> releases = new CopyOnWriteArrayList<>();

  private ProcessShutdown(GracefulShutdown shutdown, boolean ours, List<Condition> conditions) {
    this.shutdown = shutdown;
    this.ours = ours;
    this.conditions = conditions;
  }

  /**
   * Returns the shutdown that the application has made itself, a bean other than {@code our}; empty
   * if there is none.
   */
  static Optional<ProcessShutdown> given(
      ListableBeanFactory beans, String our, ConfigurableEnvironment environment) {
    Optional<String> name =
        Arrays.stream(
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                    beans, GracefulShutdown.class, true, false))
            .filter(each -> !each.equals(our))
            .findFirst();
    return name.map(
        own -> {
          GracefulShutdown shutdown = beans.getBean(own, GracefulShutdown.class);
          if (SettingBinding.configure(GracefulShutdown.builder(), environment)) {
            log.warn(
                "Settings lastcall.* of this application have no effect: the bean '{}' is its"
                    + " GracefulShutdown. Set them where that is built, or remove the bean",
                own);
          }
          List<Condition> conditions = follow(shutdown);
          ProcessShutdown process = new ProcessShutdown(shutdown, false, conditions);
          conditions.forEach(each -> process.atRelease(each::close));
          return process;
        });
  }

  /**
   * Installs the shutdown of the process, or joins it.
   *
   * @throws RefusedSettings if the settings are refused
   */
  static ProcessShutdown acquire(
      ConfigurableEnvironment environment, Stream<GracefulShutdownBuilderCustomizer> customizers) {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    try {
      SettingBinding.configure(builder, environment);
      synchronized (LOCK) {
        GracefulShutdown shared = installed;
        if (shared == null) {
          customizers.forEach(each -> each.customize(builder));
          shared = install(builder);
          installed = shared;
          LogUntilReport.of(shared);
          followed = follow(shared);
        } else {
          log.info("Another context of this process has installed Lastcall: its plan stays");
        }
        holders++;
        return new ProcessShutdown(shared, true, followed);
      }
    } catch (IllegalArgumentException refusal) {
      throw new RefusedSettings(refusal);
    }
  }

  private static GracefulShutdown install(GracefulShutdownBuilder builder) {
    try {
      return builder.install();
    } catch (IllegalStateException installed) {
      throw new IllegalArgumentException(
          "GracefulShutdown.builder()...install() was called in this process before its context was"
              + " made; allowed with the Spring Boot starter: lastcall.* properties in its place, a"
              + " bean of type GracefulShutdown that calls it, or lastcall.enabled=false",
          installed);
    }
  }

  private static List<Condition> follow(GracefulShutdown shutdown) {
    Probes probes = shutdown.probes();
    return List.of(
        probes.condition(ProbeKind.READINESS, "spring", () -> unready(shutdown)),
        probes.condition(ProbeKind.LIVENESS, "spring", () -> broken(shutdown)));
  }

  private static Stream<ContextBridge> bridges(GracefulShutdown shutdown) {
    return bridges.stream().filter(bridge -> bridge.isOf(shutdown));
  }

  /** A context that starts or ends concurrently with another takes nothing out of service. */
  private static Optional<String> unready(GracefulShutdown shutdown) {
    List<ReadinessState> states =
        bridges(shutdown).filter(ContextBridge::isRunning).map(ContextBridge::readiness).toList();
    if (states.isEmpty()) {
      return Optional.of("no context runs");
    }
    return Optional.of(ReadinessState.REFUSING_TRAFFIC).filter(states::contains).map(Enum::name);
  }

  private static Optional<String> broken(GracefulShutdown shutdown) {
    return bridges(shutdown)
        .filter(ContextBridge::isBroken)
        .map(bridge -> LivenessState.BROKEN.name())
        .findAny();
  }

  @Override
  public GracefulShutdown shutdown() {
    return shutdown;
  }

  /** Has the readiness of the process follow the context's. */
  void join(ContextBridge bridge) {
    bridges.add(bridge);
  }

  /** A context's readiness or liveness has changed. */
  void availabilityChanged() {
    conditions.forEach(Condition::recheck);
  }

  void leave(ContextBridge bridge) {
    bridges.remove(bridge);
  }

  @Override
  public void step(Step step) {
    atRelease(shutdown.step(step)::remove);
  }

  @Override
  public void listener(ShutdownListener listener) {
    atRelease(shutdown.listener(listener)::remove);
  }

  /** Adds a server of the context's. */
  void server(DrainableServer server) {
    atRelease(shutdown.server(server)::remove);
    ofContexts.add(server);
    atRelease(() -> ofContexts.remove(server));
  }

  /** Whether the application has added a server itself. */
  boolean isServerGiven() {
    return !ofContexts.containsAll(shutdown.servers());
  }

  @Override
  public void stopFirst(String name, Object taker, WorkSource source) {
    if (stoppedFirst.add(taker)) {
      unlessShuttingDown(
          () -> atRelease(named(name, free -> shutdown.workSource(free, source))::remove));
    }
  }

  /** Adds a pool of the context's. */
  void pool(String name, ConnectionPool pool) {
    unlessShuttingDown(() -> atRelease(shutdown.pool(name, pool)::remove));
  }

  /** A shutdown that has begun takes nothing more in: a bean that is made now stays as it is. */
  void unlessShuttingDown(Runnable add) {
    try {
      add.run();
    } catch (IllegalStateException e) {
      if (!shutdown.isShuttingDown()) {
        throw e;
      }
    }
  }

  @Override
  public boolean isStoppedFirst(Object taker) {
    return stoppedFirst.contains(taker);
  }

  @Override
  public boolean hasSteps(Object bean) {
    return !OnShutdownMembers.of(AopProxyUtils.ultimateTargetClass(bean)).isEmpty();
  }

  @Override
  public RuntimeException refusal(String message) {
    return new RefusedSettings(new IllegalArgumentException(message));
  }

  /** Counts the tasks of an executor of the context's. */
  ExecutorService executor(String name, ExecutorService delegate) {
    return named(name, free -> shutdown.countedExecutor(free, delegate));
  }

  /** Counts the runs of a scheduler of the context's. */
  ScheduledExecutorService scheduler(String name, ScheduledExecutorService delegate) {
    return named(name, free -> shutdown.countedScheduler(free, delegate));
  }

  /** A bean of another context, or work that the application has added, may have that name. */
  private static <T> T named(String name, Function<String, T> add) {
    for (int i = 1; i < MOST_OF_A_NAME; i++) {
      try {
        return add.apply(i == 1 ? name : name + " " + i);
      } catch (IllegalArgumentException taken) {
        log.debug("'{}' is called otherwise here", name, taken);
      }
    }
    return add.apply(name + " " + MOST_OF_A_NAME);
  }

  /** Takes something back once the context is closed, unless by a shutdown. */
  void atRelease(Runnable release) {
    releases.add(release);
  }

  @Override
  public void close() {
    // A shutdown closes the context itself, and still needs its steps in EXIT.
    if (!shutdown.isShuttingDown()) {
      releases.forEach(Runnable::run);
    }
    if (ours) {
      synchronized (LOCK) {
        holders--;
        if (holders == 0) {
          installed = null;
          shutdown.uninstall();
        }
      }
    }
  }
}
