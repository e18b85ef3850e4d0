package io.lastcall.spring;

import io.lastcall.connection.DrainableServer;
import io.lastcall.servlet.ShutdownFilter;
import jakarta.servlet.ServletContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.context.ServletContextAware;

/**
 * The servers of a context and the filter that their requests pass. Says so where there is no
 * server to drain: web servers are made before singletons are.
 */
final class ServletServers implements SmartInitializingSingleton, ServletContextAware {
  /** The server info of the mock that Spring's tests have in place of a server. */
  private static final String MOCK = "MockServletContext";

  private static final Logger log = LoggerFactory.getLogger(ServletServers.class);

  private final ProcessShutdown process;
  private final ShutdownFilter filter;
  private volatile boolean drained;
  private boolean mocked;

  ServletServers(ProcessShutdown process) {
    this.process = process;
    this.filter = ShutdownFilter.of(process.shutdown());
  }

  /** Not a bean: Spring Boot would register it by itself, after other filters. */
  ShutdownFilter filter() {
    return filter;
  }

  void add(DrainableServer server) {
    drained = true;
    process.server(server);
  }

  /** Not called where an embedded server asks for the filter: its context is still to come. */
  @Override
  public void setServletContext(ServletContext context) {
    mocked = MOCK.equals(context.getServerInfo());
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (!drained && !mocked) {
      log.warn(
          "No connector can be drained here: requests in flight are waited for, but queued and idle"
              + " connections are lost when the server stops. Supported are embedded Tomcat and"
              + " Jetty with Spring Boot 4 and, by lastcall-spring-boot-3-starter, with 3.5");
    }
  }
}
