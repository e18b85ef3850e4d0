package io.lastcall.servlet.jetty;

import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.util.component.ContainerLifeCycle;

/**
 * Jetty closes what it accepts beyond its limit. There are two classes of such limits: the first
 * releases of 12.0 have the older alone, and that may go.
 */
final class ConnectionLimits {
  private ConnectionLimits() {}

  /** What is queued must be accepted. */
  static void lift(ContainerLifeCycle connector) {
    if (JettyInternals.isThere("org.eclipse.jetty.server.NetworkConnectionLimit")) {
      for (NetworkConnectionLimit limit : connector.getBeans(NetworkConnectionLimit.class)) {
        limit.setMaxNetworkConnectionCount(Integer.MAX_VALUE);
      }
    }
    if (JettyInternals.isThere("org.eclipse.jetty.server.ConnectionLimit")) {
      liftOlder(connector);
    }
  }

  @SuppressWarnings("removal")
  private static void liftOlder(ContainerLifeCycle connector) {
    for (ConnectionLimit limit : connector.getBeans(ConnectionLimit.class)) {
      limit.setMaxConnections(Integer.MAX_VALUE);
    }
  }
}
