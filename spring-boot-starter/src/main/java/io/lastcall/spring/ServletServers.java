package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.servlet.ShutdownFilter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The servers of a context and the filter that their requests pass. Says so where there is no
 * server to drain: web servers are made before singletons are.
 */
final class ServletServers implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(ServletServers.class);

  private final GracefulShutdown shutdown;
  private final ShutdownFilter filter;
  private volatile boolean any;

  ServletServers(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
    this.filter = new ShutdownFilter(shutdown.gate(), shutdown.probes(), shutdown.connections());
  }

  /** Not a bean: Spring Boot would register it by itself, behind others. */
  ShutdownFilter filter() {
    return filter;
  }

  void add(DrainableServer server) {
    any = true;
    shutdown.server(server);
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (!any) {
      log.warn(
          "No connector can be drained here: requests in flight are waited for, but queued and idle"
              + " connections are lost when the server stops. Supported are embedded Tomcat and"
              + " Jetty with Spring Boot 4 and, by lastcall-spring-boot-3-starter, Tomcat with 3.5");
    }
  }
}
