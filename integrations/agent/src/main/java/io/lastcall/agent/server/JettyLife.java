package io.lastcall.agent.server;

import io.lastcall.Removable;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/** Follows a connector from its start to its stop. */
final class JettyLife implements LifeCycle.Listener {
  private static final Set<String> ADDERS = Set.of("addEventListener", "addLifeCycleListener");

  private final Supplier<List<Removable>> onStart;
  private List<Removable> added = List.of();

  private JettyLife(Supplier<List<Removable>> onStart) {
    this.onStart = onStart;
  }

  /** By reflection: Jetty 9 calls it otherwise. */
  static void follow(NetworkConnector connector, Supplier<List<Removable>> onStart)
      throws ReflectiveOperationException {
    JettyLife life = new JettyLife(onStart);
    for (Method method : connector.getClass().getMethods()) {
      if (ADDERS.contains(method.getName())
          && method.getParameterCount() == 1
          && method.getParameterTypes()[0].isInstance(life)) {
        method.invoke(connector, life);
        return;
      }
    }
    throw new NoSuchMethodException(connector.getClass().getName() + ".addEventListener");
  }

  @Override
  public void lifeCycleStarting(LifeCycle event) {
    // It may still fail.
  }

  @Override
  public synchronized void lifeCycleStarted(LifeCycle event) {
    added = onStart.get();
  }

  @Override
  public void lifeCycleFailure(LifeCycle event, Throwable cause) {
    // It is not added.
  }

  @Override
  public void lifeCycleStopping(LifeCycle event) {
    // It serves until it has stopped.
  }

  @Override
  public synchronized void lifeCycleStopped(LifeCycle event) {
    added.forEach(Removable::remove);
    added = List.of();
  }
}
