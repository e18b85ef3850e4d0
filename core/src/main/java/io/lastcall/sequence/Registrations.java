package io.lastcall.sequence;

import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.process.LogContext;
import io.lastcall.work.WorkSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The steps, servers and listeners that take part in the shutdown. Thread-safe. */
public final class Registrations {
  private final List<Step> steps = new ArrayList<>();
  private final Set<Phase> begun = EnumSet.noneOf(Phase.class);
  private final List<GuardedServer> servers = new CopyOnWriteArrayList<>();
  private final Notifier notifier = new Notifier();
  private volatile boolean hadServer;
  private volatile boolean countingDoubted;
  private volatile boolean routed;

  private final Set<Object> components =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  private final List<Map.Entry<String, WorkSource>> sources = new ArrayList<>();

  /** Creates an empty registry. */
  public Registrations() {}

  /**
   * Returns the components whose steps were added, by identity: two equal components are two. To be
   * added to by the caller.
   */
  public Set<Object> components() {
    return components;
  }

  /** Returns the sources of work of a builder's components, by their names, in their order. */
  public List<Map.Entry<String, WorkSource>> sources() {
    return sources;
  }

  /**
   * Adds a step.
   *
   * @return takes it back; does nothing once its phase has begun
   * @throws IllegalStateException if the step's phase has begun
   */
  public Runnable add(Step step) {
    Step added = asAddedHere(Objects.requireNonNull(step, "step must not be null"));
    synchronized (steps) {
      if (begun.contains(step.phase())) {
        throw new IllegalStateException(
            "step(%s): %s has begun; allowed: steps of a later phase"
                .formatted(step.name(), step.phase()));
      }
      steps.add(added);
    }
    return () -> {
      synchronized (steps) {
        steps.remove(added);
      }
    };
  }

  /**
   * Returns the step with the calling thread's log context and context class loader: in a container
   * each application has its own loader. In EXIT the loader is left alone: an application may have
   * been stopped by then, and its loader closed.
   */
  private static Step asAddedHere(Step step) {
    LogContext logContext = LogContext.current();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return new Step(
        step.phase(),
        step.name(),
        step.order(),
        step.timeout(),
        context -> {
          logContext.add();
          if (step.phase() != Phase.EXIT) {
            Thread.currentThread().setContextClassLoader(loader);
          }
          step.action().run(context);
        });
  }

  /** Adds a server; returns what takes it back. */
  public Runnable add(DrainableServer server) {
    GuardedServer guarded =
        new GuardedServer(Objects.requireNonNull(server, "server must not be null"));
    servers.add(guarded);
    hadServer = true;
    routed = true;
    return () -> servers.remove(guarded);
  }

  /** Returns the listeners, to add to and to notify. */
  public Notifier notifier() {
    return notifier;
  }

  /** Returns every step. */
  public List<Step> steps() {
    synchronized (steps) {
      return List.copyOf(steps);
    }
  }

  /** Returns the steps of a phase that are added so far. */
  List<Step> steps(Phase phase) {
    return steps().stream().filter(step -> step.phase() == phase).toList();
  }

  /** Returns the steps of a phase that begins now: from now on none can be added. */
  List<Step> begin(Phase phase) {
    synchronized (steps) {
      begun.add(phase);
      return steps(phase);
    }
  }

  /** Returns the servers. */
  public List<GuardedServer> servers() {
    return List.copyOf(servers);
  }

  /** Returns whether a server was ever added, even if it was taken back since. */
  public boolean hadServer() {
    return hadServer;
  }

  /** HTTP connections have stayed open, and no request was counted by then. */
  public void doubtCounting() {
    countingDoubted = true;
  }

  boolean isCountingDoubted() {
    return countingDoubted;
  }

  /** Takes the process as one that routers know, without a server here. */
  public void assumeRouted() {
    routed = true;
  }

  boolean isRouted() {
    return routed;
  }
}
