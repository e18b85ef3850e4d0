package io.lastcall.agent.server;

import io.lastcall.connection.DrainableServer;
import org.apache.catalina.connector.Connector;

/** A connector that lacks something: by Tomcat's public API alone. */
final class TomcatCoarse {
  private TomcatCoarse() {}

  /** Its listener is closed at the end of DRAIN; Tomcat itself ends the rest. */
  static DrainableServer server(Connector connector) {
    return DrainableServer.of(
        "tomcat:" + connector.getPort(),
        deadline -> {
          if (connector.getState().isAvailable()) {
            connector.pause();
            connector.stop();
          }
        },
        deadline -> {});
  }
}
