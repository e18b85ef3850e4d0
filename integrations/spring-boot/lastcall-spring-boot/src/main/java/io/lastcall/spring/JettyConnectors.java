package io.lastcall.spring;

import io.lastcall.servlet.jetty.LastcallConnector;
import java.util.concurrent.Executor;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.ssl.SslBundleKey;

/** Makes a connector that drains from the one that Spring Boot has made, before its start. */
final class JettyConnectors {
  private static final String SPRING = "org.springframework.boot.";

  private static final Logger log = LoggerFactory.getLogger(JettyConnectors.class);

  private JettyConnectors() {}

  /**
   * Returns a connector with the same settings and the same connection factories; those for HTTP/2
   * are replaced by the one that drains. Where something of it cannot be kept, a warning names it
   * and what is allowed, and the connector stays as it is.
   */
  static Connector drainable(Connector made) {
    if (made instanceof LastcallConnector ours) {
      return ours;
    }
    if (!(made instanceof ServerConnector connector)
        || !(made.getClass().equals(ServerConnector.class)
            || made.getClass().getName().startsWith(SPRING))) {
      return kept(made, made.getClass().getName(), LastcallConnector.class.getName());
    }
    if (connector.getAcceptors() != 1) {
      return kept(made, "server.jetty.threads.acceptors=" + connector.getAcceptors(), "1");
    }
    Server server = connector.getServer();
    if (connector.getByteBufferPool() != server.getByteBufferPool()) {
      return kept(made, "a buffer pool of the connector's own", "the server's");
    }
    LastcallConnector drainable =
        new LastcallConnector(
            server,
            ownExecutor(connector),
            ownScheduler(connector),
            connector.getSelectorManager().getSelectorCount(),
            connector.getConnectionFactories().stream()
                .map(JettyConnectors::drainable)
                .toArray(ConnectionFactory[]::new));
    BeanUtils.copyProperties(
        connector, drainable, "connectionFactories", "accepting", "beans", "eventListeners");
    keepAliasCheck(connector, drainable);
    return drainable;
  }

  private static Connector kept(Connector made, String what, String allowed) {
    log.warn(
        "{} cannot be kept in a Jetty that drains without loss; allowed is {}. The connector stays as"
            + " it is",
        what,
        allowed);
    return made;
  }

  private static ConnectionFactory drainable(ConnectionFactory factory) {
    // By name: the classes of HTTP/2 need not be there.
    return factory.getProtocols().contains("h2") || factory.getProtocols().contains("h2c")
        ? JettyHttp2.drainable(factory)
        : factory;
  }

  /** A connector owns what it is given, and null means the server's. */
  private static @Nullable Executor ownExecutor(ServerConnector connector) {
    Executor executor = connector.getExecutor();
    return executor == connector.getServer().getThreadPool() ? null : executor;
  }

  private static @Nullable Scheduler ownScheduler(ServerConnector connector) {
    Scheduler scheduler = connector.getScheduler();
    return scheduler == connector.getServer().getScheduler() ? null : scheduler;
  }

  /** Spring Boot's connector with TLS looks for its key at the start, in a class of its own. */
  private static void keepAliasCheck(ServerConnector from, ServerConnector to) {
    SslConnectionFactory tls = from.getConnectionFactory(SslConnectionFactory.class);
    if (tls != null && !from.getClass().equals(ServerConnector.class)) {
      SslContextFactory.Server context = tls.getSslContextFactory();
      to.addEventListener(
          new LifeCycle.Listener() {
            @Override
            public void lifeCycleStarted(LifeCycle event) {
              SslBundleKey.of(null, context.getCertAlias())
                  .assertContainsAlias(context.getKeyStore());
            }
          });
    }
  }
}
