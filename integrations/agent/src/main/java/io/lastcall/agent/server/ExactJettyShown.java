package io.lastcall.agent.server;

import java.lang.reflect.Field;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;
import org.jspecify.annotations.Nullable;

/**
 * Shows the port and the listener of the connector that serves by the one that it has replaced: an
 * application may have kept that, and asks it for its port, or closes it.
 */
final class ExactJettyShown implements LifeCycle.Listener {
  private static final @Nullable Field PORT = field("_localPort");
  private static final @Nullable Field LISTENER = field("_acceptChannel");

  private final ServerConnector replaced;

  ExactJettyShown(ServerConnector replaced) {
    this.replaced = replaced;
  }

  static boolean isPossible() {
    return PORT != null && LISTENER != null;
  }

  private static @Nullable Field field(String name) {
    try {
      Field field = ServerConnector.class.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException | RuntimeException closed) {
      return null;
    }
  }

  @Override
  public void lifeCycleStarted(LifeCycle serving) {
    show(serving);
  }

  @Override
  public void lifeCycleStopped(LifeCycle serving) {
    show(serving);
  }

  private void show(LifeCycle serving) {
    if (PORT != null && LISTENER != null) {
      try {
        PORT.set(replaced, PORT.get(serving));
        LISTENER.set(replaced, LISTENER.get(serving));
      } catch (IllegalAccessException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }
}
