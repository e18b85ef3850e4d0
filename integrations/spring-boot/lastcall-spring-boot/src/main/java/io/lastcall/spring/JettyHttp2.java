package io.lastcall.spring;

import io.lastcall.servlet.jetty.LastcallHttp2ConnectionFactory;
import org.eclipse.jetty.http2.server.AbstractHTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.springframework.beans.BeanUtils;

/** Apart from the rest, since Jetty's HTTP/2 is a dependency of its own. */
final class JettyHttp2 {
  private JettyHttp2() {}

  /** Returns the factory that drains, with the settings of Jetty's. */
  static ConnectionFactory drainable(ConnectionFactory factory) {
    if (factory instanceof LastcallHttp2ConnectionFactory
        || !(factory instanceof AbstractHTTP2ServerConnectionFactory from)) {
      // Not Jetty's: the connector says at its start what it thinks of it.
      return factory;
    }
    LastcallHttp2ConnectionFactory to =
        new LastcallHttp2ConnectionFactory(from.getHttpConfiguration());
    BeanUtils.copyProperties(from, to, "beans", "eventListeners");
    return to;
  }
}
