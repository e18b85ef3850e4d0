package io.lastcall.agent.server;

import io.lastcall.Removable;
import io.lastcall.agent.loading.ServerHooks;
import io.lastcall.agent.service.AgentShutdown;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.OpenRequests;
import io.lastcall.servlet.ShutdownFilter;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jetty's connectors and applications of servlets. A server without any has nothing that counts its
 * requests, and stays as it is.
 */
public final class JettyHooks implements ServerHooks {
  private static final Logger log = LoggerFactory.getLogger(JettyHooks.class);

  private final AgentShutdown shutdown;

  /** Why it is coarse; empty: it is exact. */
  private final String coarse;

  private final Set<Connector> known =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final AgentFilter filter;

  /** Called by name. */
  public JettyHooks(AgentShutdown shutdown, String coarse) {
    this.shutdown = shutdown;
    this.coarse = coarse;
    filter = new AgentFilter(shutdown);
  }

  @Override
  public @Nullable Object on(String place, @Nullable Object self, @Nullable Object value)
      throws ReflectiveOperationException {
    ShutdownFilter installed = filter.get();
    if (installed == null || self == null) {
      return value;
    }
    switch (place) {
      case "jetty" -> connectors((Server) self, installed);
      case "jetty connectors" -> {
        // One that runs gets connectors that its caller starts itself, as Spring Boot does.
        if (((Server) self).isStarted() && value instanceof Connector[] added) {
          replace(added, installed);
        }
      }
      default -> JettyFilters.prepend(self, installed);
    }
    return value;
  }

  private void connectors(Server server, ShutdownFilter installed)
      throws ReflectiveOperationException {
    Connector[] connectors = server.getConnectors();
    if (replace(connectors, installed)) {
      server.setConnectors(connectors);
    }
  }

  /** Puts those that drain in the place of Jetty's, before they start; returns whether it has. */
  private boolean replace(Connector[] connectors, ShutdownFilter installed)
      throws ReflectiveOperationException {
    boolean replaced = false;
    for (int i = 0; i < connectors.length; i++) {
      Connector made = connectors[i];
      if (coarse.isEmpty()) {
        connectors[i] = ExactJetty.drainable(made);
      }
      replaced |= connectors[i] != made;
      if (connectors[i] instanceof NetworkConnector connector && known.add(connector)) {
        OpenRequests open = coarse.isEmpty() ? null : JettyRequests.follow(connector);
        JettyLife.follow(connector, () -> follow(connector, installed, open));
      }
    }
    return replaced;
  }

  /**
   * Called when it has started, which is after the applications have.
   *
   * @param open its requests, of a Jetty that has the coarse role
   * @return takes it back; empty where it is not drained
   */
  private List<Removable> follow(
      NetworkConnector connector, ShutdownFilter installed, @Nullable OpenRequests open) {
    if (!installed.isInPlace()) {
      log.warn(
          "{} has no application of servlets, so nothing counts its requests. It shuts down as"
              + " without Lastcall's agent",
          connector);
      shutdown.uninstallIfAlone();
      return List.of();
    }
    Removable server =
        open == null
            ? ExactJetty.add(shutdown, connector, installed)
            : add(connector, installed, open);
    if (server == null) {
      return List.of();
    }
    shutdown.started();
    return List.of(server);
  }

  private @Nullable Removable add(
      NetworkConnector connector, ShutdownFilter installed, OpenRequests open) {
    String name = "jetty:" + connector.getLocalPort();
    ContainerInternals.warnOfCoarseDrain("This Jetty " + coarse, name);
    installed.add(open);
    return shutdown.server(new JettyCoarse(name, connector, open), deadline -> open.refuseToCut());
  }
}
