package io.lastcall.spring;

import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.Http2;

/**
 * Embedded Tomcat's connector, in its role in the shutdown: what every version of Spring Boot has
 * in common. The auto-configuration uses it; an application that makes connectors of its own may
 * give them to {@link #follow}.
 */
public final class TomcatDrain {
  private final ServletServers servers;

  TomcatDrain(ServletServers servers) {
    this.servers = servers;
  }

  /**
   * Keeps Spring Boot from adding Tomcat's own HTTP/2.
   *
   * @return whether the factory was to speak it: {@link #speakHttp2} does instead
   */
  public static boolean takesHttp2From(AbstractConfigurableWebServerFactory factory) {
    Http2 wanted = factory.getHttp2();
    boolean enabled = wanted != null && wanted.isEnabled();
    if (enabled) {
      factory.setHttp2(new Http2());
    }
    return enabled;
  }

  /** Adds the HTTP/2 that drains, in front of every customizer of the connector. */
  public static void speakHttp2(ProtocolHandler handler) {
    handler.addUpgradeProtocol(new LastcallHttp2Protocol());
  }

  /**
   * Has the shutdown drain a connector, once its customizers have run. Where they have made
   * something of it that cannot be drained without loss, such as another protocol, it has the
   * coarse role, and a warning says why.
   */
  public void follow(Connector connector) {
    servers.add(TomcatServer.of(connector, servers.filter()));
  }
}
