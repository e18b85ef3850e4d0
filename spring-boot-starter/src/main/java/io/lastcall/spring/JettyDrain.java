package io.lastcall.spring;

import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import java.util.Arrays;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;

/**
 * Embedded Jetty's connector, in its role in the shutdown: what every version of Spring Boot has in
 * common. Spring Boot makes the connector and then runs the customizers of the server. In front of
 * all others, its own for {@code server.jetty.*} included, belongs {@link #replaceConnectors}, so
 * that they configure what will serve; behind them {@link #follow}.
 */
public final class JettyDrain {
  private final ServletServers servers;

  JettyDrain(ServletServers servers) {
    this.servers = servers;
  }

  /**
   * Puts connectors that drain, with the same settings, in the place of those that Spring Boot has
   * made.
   *
   * @throws IllegalStateException if something of one cannot be kept, naming it and what is allowed
   */
  public static void replaceConnectors(Server server) {
    Connector[] drainable =
        Arrays.stream(server.getConnectors())
            .map(JettyConnectors::drainable)
            .toArray(Connector[]::new);
    server.setConnectors(drainable);
    // Spring Boot's knows the connectors that it has made.
    for (NetworkConnectionLimit limit : server.getBeans(NetworkConnectionLimit.class)) {
      server.removeBean(limit);
      NetworkConnectionLimit same =
          new NetworkConnectionLimit(limit.getMaxNetworkConnectionCount(), drainable);
      same.setEndPointIdleTimeout(limit.getEndPointIdleTimeout());
      server.addBean(same);
    }
  }

  /**
   * Has the shutdown drain the connectors that the customizers have left.
   *
   * @throws IllegalStateException if a customizer has put another connector in their place
   */
  public void follow(Server customized) {
    boolean found = false;
    for (Connector connector : customized.getConnectors()) {
      if (connector instanceof LastcallConnector ours) {
        JettyServer created = new JettyServer(ours, servers.filter());
        servers.add(created, created::currentConnection);
        found = true;
      }
    }
    if (!found) {
      throw new IllegalStateException(
          "A JettyServerCustomizer has left no connector that can be drained without loss, but "
              + Arrays.toString(customized.getConnectors())
              + "; allowed beside others is at least one "
              + LastcallConnector.class.getName());
    }
  }
}
