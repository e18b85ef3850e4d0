package io.lastcall.spring;

import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Embedded Jetty's connector, in its role in the shutdown: what every version of Spring Boot has in
 * common. Spring Boot makes the connector and then runs the customizers of the server: the first of
 * them puts ours in its place, so that all the others, Spring Boot's own for {@code server.jetty.*}
 * included, configure what will serve; the last one registers what they have left.
 */
public final class JettyDrain {
  private static final Logger log = LoggerFactory.getLogger(JettyDrain.class);

  private static final String LIMIT = "org.eclipse.jetty.server.NetworkConnectionLimit";

  private final ServletServers servers;

  JettyDrain(ServletServers servers) {
    this.servers = servers;
  }

  /**
   * Returns a server's customizers with ours around them. A server that they leave without a
   * connector that drains without loss has the coarse role, as has one of which something cannot be
   * kept; a warning says so.
   *
   * @param <C> what this Spring Boot calls a customizer of Jetty's server
   * @param customizer makes one
   */
  public <C> List<C> around(
      Collection<? extends C> others, Function<Consumer<Server>, C> customizer) {
    List<C> all = new ArrayList<>();
    all.add(customizer.apply(JettyDrain::replaceConnectors));
    all.addAll(others);
    all.add(customizer.apply(this::follow));
    return all;
  }

  private static void replaceConnectors(Server server) {
    Connector[] drainable =
        Arrays.stream(server.getConnectors())
            .map(JettyConnectors::drainable)
            .toArray(Connector[]::new);
    if (Stream.of(drainable).noneMatch(LastcallConnector.class::isInstance)) {
      return;
    }
    server.setConnectors(drainable);
    log.info("Jetty's connector is replaced by one that drains, with the same settings");
    // Spring Boot's knows the connectors that it has made.
    if (ClassUtils.isPresent(LIMIT, JettyDrain.class.getClassLoader())) {
      replaceLimits(server, drainable);
    } else {
      replaceOlderLimits(server, drainable);
    }
  }

  private static void replaceLimits(Server server, Connector... connectors) {
    for (NetworkConnectionLimit limit : server.getBeans(NetworkConnectionLimit.class)) {
      server.removeBean(limit);
      NetworkConnectionLimit same =
          new NetworkConnectionLimit(limit.getMaxNetworkConnectionCount(), connectors);
      same.setEndPointIdleTimeout(limit.getEndPointIdleTimeout());
      server.addBean(same);
    }
  }

  /** As the first releases of Jetty 12.0 have them. */
  @SuppressWarnings("removal")
  private static void replaceOlderLimits(Server server, Connector... connectors) {
    for (ConnectionLimit limit : server.getBeans(ConnectionLimit.class)) {
      server.removeBean(limit);
      ConnectionLimit same = new ConnectionLimit(limit.getMaxConnections(), connectors);
      same.setIdleTimeout(limit.getIdleTimeout());
      server.addBean(same);
    }
  }

  /** Of several connectors those that drain; of others each, so that requests are waited for. */
  private void follow(Server customized) {
    List<NetworkConnector> all =
        Stream.of(customized.getConnectors())
            .filter(NetworkConnector.class::isInstance)
            .map(NetworkConnector.class::cast)
            .toList();
    List<NetworkConnector> draining =
        all.stream().filter(LastcallConnector.class::isInstance).toList();
    for (NetworkConnector connector : draining.isEmpty() ? all : draining) {
      servers.add(JettyServer.of(connector, servers.filter()));
    }
  }
}
