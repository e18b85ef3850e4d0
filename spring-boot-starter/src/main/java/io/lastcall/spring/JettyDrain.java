package io.lastcall.spring;

import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;

/**
 * Embedded Jetty's connector, in its role in the shutdown. Spring Boot makes the connector and then
 * runs the customizers: the first of them puts ours in its place, so that all the others, Spring
 * Boot's own for {@code server.jetty.*} included, configure what will serve; the last one registers
 * what they have left.
 */
final class JettyDrain {
  private final ServletServers servers;

  JettyDrain(ServletServers servers) {
    this.servers = servers;
  }

  void customize(JettyServletWebServerFactory factory) {
    List<JettyServerCustomizer> customizers = new ArrayList<>();
    customizers.add(JettyDrain::replaceConnectors);
    customizers.addAll(factory.getServerCustomizers());
    customizers.add(this::follow);
    factory.setServerCustomizers(customizers);
  }

  private static void replaceConnectors(Server server) {
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
   * @throws IllegalStateException if a customizer has put another connector in its place
   */
  private void follow(Server customized) {
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
