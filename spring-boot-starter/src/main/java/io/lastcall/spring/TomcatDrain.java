package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.tomcat.TomcatServer;
import java.util.concurrent.CompletionStage;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

/** Embedded Tomcat's connector, in its role in the shutdown. */
final class TomcatDrain {
  private final GracefulShutdown shutdown;
  private final ShutdownFilter filter;
  private volatile @Nullable TomcatServer server;

  TomcatDrain(GracefulShutdown shutdown, ShutdownFilter filter) {
    this.shutdown = shutdown;
    this.filter = filter;
  }

  void follow(Connector connector) {
    TomcatServer created = new TomcatServer(connector, filter);
    server = created;
    shutdown.server(created);
  }

  CompletionStage<?> currentConnectionEnded() {
    TomcatServer known = server;
    if (known == null) {
      throw new IllegalStateException("Tomcat has not been started");
    }
    return known.currentConnectionEnded();
  }
}
