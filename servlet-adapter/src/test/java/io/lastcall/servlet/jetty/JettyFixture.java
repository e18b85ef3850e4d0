package io.lastcall.servlet.jetty;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.spi.FirstRequest;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpServlet;
import jakarta.websocket.server.ServerEndpointConfig;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A real Jetty. */
final class JettyFixture extends ContainerFixture {
  final QueuedThreadPool threads = new QueuedThreadPool();
  final Server jetty = new Server(threads);
  final Application application =
      Server.getVersion().startsWith("12.0.") ? new Ee10Application() : new Ee11Application();
  final LastcallConnector connector;
  final JettyServer server;

  JettyFixture() {
    this(new HttpConnectionFactory());
  }

  /** Awaits first requests by {@code firstRequests}. */
  JettyFixture(Supplier<FirstRequest> firstRequests) {
    this();
    connector.firstRequests = firstRequests;
  }

  JettyFixture(ConnectionFactory... factories) {
    this(JettyServer::new, factories);
  }

  /**
   * @param role makes the server's
   */
  JettyFixture(
      BiFunction<LastcallConnector, ShutdownFilter, JettyServer> role,
      ConnectionFactory... factories) {
    connector = new LastcallConnector(jetty, factories);
    connector.setHost("127.0.0.1");
    jetty.addConnector(connector);
    jetty.setHandler(application.handler());
    addFilter("shutdown", filter, DispatcherType.values());
    server = role.apply(connector, filter);
  }

  /** HTTP/1.1 and HTTP/2 in clear text. */
  static JettyFixture clearText() {
    HttpConfiguration configuration = new HttpConfiguration();
    return new JettyFixture(
        new HttpConnectionFactory(configuration),
        new LastcallHttp2ConnectionFactory(configuration));
  }

  @Override
  public JettyServer server() {
    return server;
  }

  @Override
  public JettyFixture addFilter(String name, Filter added, DispatcherType... types) {
    return add(name, added, true, types);
  }

  @Override
  public JettyFixture addFirst(String name, Filter added, DispatcherType... types) {
    return add(name, added, false, types);
  }

  private JettyFixture add(String name, Filter added, boolean last, DispatcherType... types) {
    FilterRegistration.Dynamic registration = application.servlets().addFilter(name, added);
    registration.setAsyncSupported(true);
    registration.addMappingForUrlPatterns(EnumSet.copyOf(List.of(types)), last, "/*");
    return this;
  }

  @Override
  protected void addServlet(HttpServlet servlet, String... paths) {
    ServletRegistration.Dynamic registration = application.servlets().addServlet(paths[0], servlet);
    registration.setAsyncSupported(true);
    registration.addMapping(paths);
  }

  @Override
  public JettyFixture addErrorPage(int status, String path) {
    application.addErrorPage(status, path);
    return this;
  }

  @Override
  public JettyFixture start() throws Exception {
    jetty.start();
    return this;
  }

  /** With every selector held. */
  @Override
  protected <T> T whileNobodyReads(Callable<T> action) throws Exception {
    Collection<ManagedSelector> selectors =
        connector.getSelectorManager().getBeans(ManagedSelector.class);
    CountDownLatch held = new CountDownLatch(selectors.size());
    CountDownLatch free = new CountDownLatch(1);
    selectors.forEach(each -> each.submit(selector -> block(held, free)));
    try {
      held.await();
      return action.call();
    } finally {
      free.countDown();
    }
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws Exception {
    threads.setStopTimeout(0);
    jetty.stop();
  }

  /** One application, of the version of Jakarta EE that the Jetty on the class path comes with. */
  interface Application {
    Handler handler();

    ServletContext servlets();

    void addErrorPage(int status, String path);

    void serveFiles(Path directory);

    void addEndpoint(ServerEndpointConfig endpoint);
  }
}
