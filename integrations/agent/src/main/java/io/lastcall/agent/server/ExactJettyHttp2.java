package io.lastcall.agent.server;

import io.lastcall.servlet.jetty.LastcallHttp2ConnectionFactory;
import java.util.Set;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;

/** Apart from the rest, since Jetty's HTTP/2 is an artifact of its own. */
final class ExactJettyHttp2 {
  private static final Set<Class<?>> JETTYS =
      Set.of(HTTP2CServerConnectionFactory.class, HTTP2ServerConnectionFactory.class);

  private ExactJettyHttp2() {}

  /** With the settings of Jetty's; another's stays, and the connector has the coarse role. */
  static ConnectionFactory drainable(ConnectionFactory factory) {
    if (!JETTYS.contains(factory.getClass())) {
      return factory;
    }
    AbstractHTTP2ServerConnectionFactory from = (AbstractHTTP2ServerConnectionFactory) factory;
    LastcallHttp2ConnectionFactory to =
        new LastcallHttp2ConnectionFactory(from.getHttpConfiguration());
    Settings.copy(from, to, Set.of("setEventListeners", "setBeans"));
    return to;
  }
}
