package io.lastcall.agent.server;

import io.lastcall.GracefulShutdown;
import io.lastcall.Removable;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.DrainableServer;
import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.OpenListener;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.channels.Channel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Undertow, in the coarse role: its first handler counts, and its listeners are closed last. */
public final class UndertowHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  /** Called by name. */
  public UndertowHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  /** As it is about to start. */
  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value)
      throws ReflectiveOperationException {
    GracefulShutdown installed = shutdown.get();
    if (installed == null || !(self instanceof Undertow undertow)) {
      return value;
    }
    Field root = field(Undertow.class, "rootHandler");
    Field channels = field(Undertow.class, "channels");
    Field connections = field(Undertow.ListenerInfo.class, "openListener");
    HttpHandler application = (HttpHandler) root.get(undertow);
    if (application instanceof UndertowCounting) {
      return value; // it was stopped, and starts again
    }
    root.set(undertow, new UndertowCounting(application, installed.gate()));
    Removable server =
        shutdown.server(
            DrainableServer.of(
                "undertow", deadline -> close(undertow, channels, connections), deadline -> {}));
    if (server != null) {
      shutdown.started();
    }
    return value;
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * Its listeners and its connections, as its own stop does, and none of its threads. A connection
   * that stays open until the exit carries requests which are refused by then.
   */
  private static void close(Undertow undertow, Field channels, Field connections)
      throws IllegalAccessException, IOException {
    if (!(channels.get(undertow) instanceof List<?> listeners)) {
      return; // the application has stopped it
    }
    for (Object listener : listeners) {
      ((Channel) listener).close();
    }
    for (Undertow.ListenerInfo listener : undertow.getListenerInfo()) {
      ((OpenListener) connections.get(listener)).closeConnections();
    }
  }
}
