package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.Removable;
import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.probe.ProbeKind;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The shutdown of the process, as one context holds it. There is one for a process and there may be
 * several contexts, in tests above all: the first installs it, the others join, and with the last
 * that is closed it is uninstalled. A context that is closed ends no JVM, and leaves nothing
 * behind: what it has given to the shutdown does nothing from then on.
 */
final class ProcessShutdown implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProcessShutdown.class);
  private static final Object LOCK = new Object();
  private static final int MOST_OF_A_NAME = 1_000;

  // Guarded by LOCK.
  private static @Nullable GracefulShutdown installed;
  private static int holders;

  /** Of the contexts that are open. */
  private static final List<ContextBridge> bridges = new CopyOnWriteArrayList<>();

  private final GracefulShutdown shutdown;

  /** Each takes back something of the context's. */
  private final List<Runnable> releases = new CopyOnWriteArrayList<>();

  private ProcessShutdown(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  /**
   * Installs the shutdown of the process, or joins it.
   *
   * @throws RefusedSettings if the settings are refused
   */
  static ProcessShutdown acquire(ConfigurableEnvironment environment) {
    try {
      return acquire(GracefulShutdown.builder().awaitStarted(), environment);
    } catch (IllegalArgumentException refusal) {
      throw new RefusedSettings(refusal);
    }
  }

  private static ProcessShutdown acquire(
      GracefulShutdownBuilder builder, ConfigurableEnvironment environment) {
    LastcallProperties.configure(builder, environment);
    synchronized (LOCK) {
      GracefulShutdown shared = installed;
      if (shared == null) {
        shared = builder.install();
        installed = shared;
        shared.probes().condition(ProbeKind.READINESS, "spring", ProcessShutdown::unready);
        shared.probes().condition(ProbeKind.LIVENESS, "spring", ProcessShutdown::broken);
      } else {
        log.info("Another context of this process has installed Lastcall: its plan stays");
      }
      holders++;
      return new ProcessShutdown(shared);
    }
  }

  /** A context that starts or ends concurrently with another takes nothing out of service. */
  private static Optional<String> unready() {
    List<ReadinessState> states =
        bridges.stream().filter(ContextBridge::isRunning).map(ContextBridge::readiness).toList();
    if (states.isEmpty()) {
      return Optional.of("no context runs");
    }
    return Optional.of(ReadinessState.REFUSING_TRAFFIC).filter(states::contains).map(Enum::name);
  }

  private static Optional<String> broken() {
    return bridges.stream()
        .filter(ContextBridge::isBroken)
        .map(bridge -> LivenessState.BROKEN.name())
        .findAny();
  }

  GracefulShutdown shutdown() {
    return shutdown;
  }

  /** Has the readiness of the process follow the context's. */
  void join(ContextBridge bridge) {
    bridges.add(bridge);
  }

  void leave(ContextBridge bridge) {
    bridges.remove(bridge);
  }

  /** Adds a step of the context's. */
  void step(Step step) {
    Lent<StepAction> action = lend(step.action());
    shutdown.step(
        new Step(
            step.phase(),
            step.name(),
            step.order(),
            step.timeout(),
            context -> {
              StepAction open = action.get();
              if (open != null) {
                open.run(context);
              }
            }));
  }

  /** Adds a server of the context's. */
  void server(DrainableServer server) {
    shutdown.server(new LentServer(lend(server)));
  }

  /** Adds a source of work of the context's; not any more once a shutdown has begun. */
  void workSource(String name, WorkSource source) {
    try {
      Removable added = named(name, free -> shutdown.workSource(free, source));
      atRelease(added::remove);
    } catch (IllegalStateException e) {
      if (!shutdown.isShuttingDown()) {
        throw e;
      }
    }
  }

  /** Counts the tasks of an executor of the context's. */
  ExecutorService executor(String name, ExecutorService delegate) {
    return named(name, free -> shutdown.executor(free, delegate));
  }

  /** Counts the runs of a scheduler of the context's. */
  ScheduledExecutorService scheduler(String name, ScheduledExecutorService delegate) {
    return named(name, free -> shutdown.scheduler(free, delegate));
  }

  /** Beans of several contexts, or what the application has added, may have that name. */
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

  /** Gives the shutdown something to hold until the context is closed. */
  <T> Lent<T> lend(T target) {
    Lent<T> created = new Lent<>(target);
    atRelease(created::release);
    return created;
  }

  /** Takes back what the shutdown holds otherwise, once the context is closed. */
  void atRelease(Runnable release) {
    releases.add(release);
  }

  @Override
  public void close() {
    // A shutdown closes the context itself, and has EXIT still before it.
    if (!shutdown.isShuttingDown()) {
      releases.forEach(Runnable::run);
    }
    synchronized (LOCK) {
      holders--;
      if (holders == 0) {
        installed = null;
        shutdown.uninstall();
      }
    }
  }
}
