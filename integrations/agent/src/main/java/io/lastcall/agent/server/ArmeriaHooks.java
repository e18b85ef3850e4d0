package io.lastcall.agent.server;

import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.VirtualHost;
import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.DrainableServer;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Armeria, in the coarse role: a decorator around all services of each of its hosts counts. */
public final class ArmeriaHooks implements ServerHooks {
  private final AgentShutdown shutdown;
  private final ArmeriaStop stop = new ArmeriaStop();

  /** Public are only decorators inside those of a single host, which may hold a request. */
  private final Method decorate;

  private final Set<Server> added =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /**
   * Called by name.
   *
   * @throws NoSuchMethodException if this Armeria cannot be decorated: it has no role then
   */
  public ArmeriaHooks(AgentShutdown shutdown, String coarse) throws NoSuchMethodException {
    this.shutdown = shutdown;
    decorate = VirtualHost.class.getDeclaredMethod("decorate", Function.class);
    decorate.setAccessible(true);
  }

  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value)
      throws ReflectiveOperationException {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return value;
    }
    if (value instanceof VirtualHost host) {
      ArmeriaCounting counting = new ArmeriaCounting(installed.gate(), stop);
      Function<HttpService, HttpService> counted = service -> service.decorate(counting);
      return decorate.invoke(host, counted);
    }
    if (value instanceof CompletableFuture<?> starting && self instanceof Server server) {
      var unused = starting.thenRun(() -> follow(server));
    }
    return value;
  }

  /** Once it listens. */
  private void follow(Server server) {
    if (!added.add(server)) {
      return; // it was stopped, and starts again
    }
    String name = "armeria:" + server.activeLocalPort();
    AgentShutdown.Added role =
        shutdown.server(
            DrainableServer.of(name, deadline -> stop.run(server, deadline), deadline -> {}),
            deadline -> stop.refuseToCut());
    if (role != null) {
      var unused = server.whenClosed().thenRun(role::remove);
      shutdown.started();
    }
  }
}
