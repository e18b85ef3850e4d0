package io.lastcall.servlet.jetty;

import io.lastcall.connection.FirstRequest;
import io.lastcall.servlet.ContainerFixture;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.FilterMapping;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A real Jetty. */
final class JettyFixture extends ContainerFixture {
  final QueuedThreadPool threads = new QueuedThreadPool();
  final Server jetty = new Server(threads);
  final ServletContextHandler context = new ServletContextHandler("/");
  final LastcallConnector connector;
  final JettyServer server;
  private final ErrorPageErrorHandler pages = new ErrorPageErrorHandler();

  JettyFixture() {
    this(new HttpConnectionFactory());
  }

  JettyFixture(ConnectionFactory... factories) {
    this(FirstRequest::new, factories);
  }

  /** Awaits first requests by {@code firstRequests}. */
  JettyFixture(Supplier<FirstRequest> firstRequests) {
    this(firstRequests, new HttpConnectionFactory());
  }

  private JettyFixture(Supplier<FirstRequest> firstRequests, ConnectionFactory... factories) {
    connector = new LastcallConnector(jetty, null, null, -1, firstRequests, factories);
    connector.setHost("127.0.0.1");
    jetty.addConnector(connector);
    jetty.setHandler(context);
    context.setErrorHandler(pages);
    addFilter("shutdown", filter, DispatcherType.values());
    server = new JettyServer(connector, filter);
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
    context.getServletHandler().addFilter(holder(name, added), mapping(name, types));
    return this;
  }

  @Override
  public JettyFixture addFirst(String name, Filter added, DispatcherType... types) {
    context.getServletHandler().addFilter(holder(name, added));
    context.getServletHandler().prependFilterMapping(mapping(name, types));
    return this;
  }

  private static FilterHolder holder(String name, Filter added) {
    FilterHolder holder = new FilterHolder(added);
    holder.setName(name);
    holder.setAsyncSupported(true);
    return holder;
  }

  private static FilterMapping mapping(String name, DispatcherType... types) {
    FilterMapping mapping = new FilterMapping();
    mapping.setFilterName(name);
    mapping.setPathSpec("/*");
    mapping.setDispatcherTypes(EnumSet.copyOf(List.of(types)));
    return mapping;
  }

  @Override
  protected void addServlet(HttpServlet servlet, String... paths) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    for (String path : paths) {
      context.addServlet(holder, path);
    }
  }

  @Override
  public JettyFixture addErrorPage(int status, String path) {
    pages.addErrorPage(status, path);
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
}
