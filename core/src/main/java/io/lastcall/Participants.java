package io.lastcall;

import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.report.ShutdownListener;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Who takes part: the user's steps, servers and listeners. Thread-safe. */
final class Participants {
  private final List<Step> steps = new CopyOnWriteArrayList<>();
  private final List<GuardedServer> servers = new CopyOnWriteArrayList<>();
  private final List<ShutdownListener> listeners = new CopyOnWriteArrayList<>();

  /** The components that were added, by identity: two equal ones are two. */
  private final Set<Object> components =
      Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

  /**
   * Adds the steps of a component, which is to be stopped once, however often it is added.
   *
   * @return those that are new
   */
  List<Step> add(Object component, List<Step> itsSteps) {
    if (!components.add(component)) {
      return List.of();
    }
    itsSteps.forEach(this::add);
    return itsSteps;
  }

  /** Returns whether the component takes part. */
  boolean has(Object component) {
    return components.contains(component);
  }

  void add(Step step) {
    steps.add(asAddedHere(Objects.requireNonNull(step, "step must not be null")));
  }

  /**
   * Returns the step with what the calling thread has: its log context, and its context class
   * loader, since in a container each application has one. But for that in EXIT, when an
   * application may have been stopped, and its loader with it.
   */
  private static Step asAddedHere(Step step) {
    LogContext logContext = LogContext.current();
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    StepAction action = step.action();
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
          action.run(context);
        });
  }

  void add(DrainableServer server) {
    servers.add(new GuardedServer(Objects.requireNonNull(server, "server must not be null")));
  }

  void add(ShutdownListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener must not be null"));
  }

  List<Step> steps() {
    return List.copyOf(steps);
  }

  List<Step> steps(Phase phase) {
    return steps.stream().filter(step -> step.phase() == phase).toList();
  }

  List<GuardedServer> servers() {
    return List.copyOf(servers);
  }

  List<ShutdownListener> listeners() {
    return List.copyOf(listeners);
  }
}
