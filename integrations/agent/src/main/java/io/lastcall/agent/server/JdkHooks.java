package io.lastcall.agent.server;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.lastcall.GracefulShutdown;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.connection.DrainableServer;
import org.jspecify.annotations.Nullable;

/** The JDK's HTTP server, in the coarse role: a filter in each context counts. */
public final class JdkHooks implements ServerHooks {
  private final AgentShutdown shutdown;

  /** Called by name. */
  public JdkHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
  }

  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value) {
    GracefulShutdown installed = shutdown.get();
    if (installed == null) {
      return value;
    }
    if (value instanceof HttpContext context) {
      if (context.getFilters().stream().noneMatch(JdkCounting.class::isInstance)) {
        context.getFilters().add(0, new JdkCounting(installed.gate(), installed.connections()));
      }
    } else if (self instanceof HttpServer server) {
      String name = "jdk:" + server.getAddress().getPort();
      shutdown.server(DrainableServer.of(name, deadline -> server.stop(0), deadline -> {}));
      shutdown.started();
    }
    return value;
  }
}
