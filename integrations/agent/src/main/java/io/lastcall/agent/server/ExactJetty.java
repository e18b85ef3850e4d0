package io.lastcall.agent.server;

import io.lastcall.Removable;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import java.util.Collection;
import java.util.EventListener;
import java.util.Set;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** Makes a connector that drains from one that has not started. */
final class ExactJetty {
  private static final Set<String> OWN =
      Set.of("setConnectionFactories", "setAccepting", "setEventListeners", "setBeans");

  private ExactJetty() {}

  /** With the same settings; the same connector where something of it could not be kept. */
  static Connector drainable(Connector made) {
    if (!made.getClass().equals(ServerConnector.class)
        || JettyServer.problem().isPresent()
        || !canBeKept((ServerConnector) made)) {
      return made;
    }
    ServerConnector from = (ServerConnector) made;
    LastcallConnector to =
        new LastcallConnector(
            from.getServer(),
            ownExecutor(from),
            ownScheduler(from),
            from.getSelectorManager().getSelectorCount(),
            from.getConnectionFactories().stream()
                .map(ExactJetty::drainable)
                .toArray(ConnectionFactory[]::new));
    Settings.copy(from, to, OWN);
    from.getBeans().stream()
        .filter(bean -> !(bean instanceof ConnectionFactory) && !hasOne(to.getBeans(), bean))
        .forEach(to::addBean);
    for (EventListener listener : from.getEventListeners()) {
      if (!hasOne(to.getEventListeners(), listener)) {
        to.addEventListener(listener);
      }
    }
    to.addEventListener(new ExactJettyShown(from));
    return to;
  }

  private static boolean canBeKept(ServerConnector made) {
    Server server = made.getServer();
    return !made.isOpen()
        && ExactJettyShown.isPossible()
        && made.getAcceptors() == 1
        && made.getByteBufferPool() == server.getByteBufferPool()
        // It knows the connectors that it was made for.
        && server.getBeans().stream()
            .noneMatch(bean -> bean.getClass().getSimpleName().endsWith("ConnectionLimit"));
  }

  private static boolean hasOne(Collection<?> of, Object like) {
    return of.stream().anyMatch(each -> each.getClass().equals(like.getClass()));
  }

  private static ConnectionFactory drainable(ConnectionFactory factory) {
    // By name: the classes of HTTP/2 need not be there.
    return factory.getProtocols().contains("h2") || factory.getProtocols().contains("h2c")
        ? ExactJettyHttp2.drainable(factory)
        : factory;
  }

  /** A connector owns what it is given, and null means the server's. */
  private static @Nullable Executor ownExecutor(ServerConnector connector) {
    Executor executor = connector.getExecutor();
    return executor == connector.getServer().getThreadPool() ? null : executor;
  }

  private static @Nullable Scheduler ownScheduler(ServerConnector connector) {
    Scheduler scheduler = connector.getScheduler();
    return scheduler == connector.getServer().getScheduler() ? null : scheduler;
  }

  /** Returns what takes it back; null if the agent does nothing. */
  static @Nullable Removable add(
      AgentShutdown shutdown, NetworkConnector connector, ShutdownFilter filter) {
    JettyServer role = JettyServer.of(connector, filter);
    return shutdown.server(role, deadline -> role.refuseToCut());
  }
}
