package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.ProbeServlet;
import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.TomcatFixture;
import io.lastcall.servlet.TomcatFixture.Service;
import io.lastcall.time.Ticker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A real Jetty on a port of its own, with the filter in front of the servlets of a test. */
final class JettyFixture {
  final GateControl control = new GateControl(Ticker.system());
  final ConnectionControl connectionControl = new ConnectionControl();
  final AtomicBoolean ready = new AtomicBoolean(true);
  final Probes probes = new Probes(() -> true, ready::get);
  final ShutdownFilter filter =
      new ShutdownFilter(control.gate(), probes, connectionControl.connections());
  final QueuedThreadPool threads = new QueuedThreadPool();
  final Server jetty = new Server(threads);
  final ServletContextHandler context = new ServletContextHandler("/");
  final LastcallConnector connector;
  final JettyServer server;

  JettyFixture() {
    this(new HttpConnectionFactory());
  }

  JettyFixture(ConnectionFactory... factories) {
    connector = new LastcallConnector(jetty, factories);
    connector.setHost("127.0.0.1");
    jetty.addConnector(connector);
    jetty.setHandler(context);
    addFilter(filter, DispatcherType.values());
    server = new JettyServer(connector, filter);
  }

  /** HTTP/1.1 and HTTP/2 in clear text. */
  static JettyFixture clearText() {
    HttpConfiguration configuration = new HttpConfiguration();
    return new JettyFixture(
        new HttpConnectionFactory(configuration),
        new LastcallHttp2ConnectionFactory(configuration));
  }

  JettyFixture addFilter(Filter added, DispatcherType... types) {
    FilterHolder holder = new FilterHolder(added);
    holder.setAsyncSupported(true);
    context.addFilter(holder, "/*", EnumSet.copyOf(List.of(types)));
    return this;
  }

  JettyFixture serve(String path, Service service) {
    ServletHolder holder =
        new ServletHolder(
            new HttpServlet() {
              private static final long serialVersionUID = 1L;

              @Override
              protected void service(HttpServletRequest request, HttpServletResponse response)
                  throws IOException, ServletException {
                service.serve(request, response);
              }
            });
    holder.setAsyncSupported(true);
    context.addServlet(holder, path);
    return this;
  }

  JettyFixture serveProbes() {
    ServletHolder holder = new ServletHolder(new ProbeServlet(probes));
    for (String mapping : ProbeServlet.mappings()) {
      context.addServlet(holder, mapping);
    }
    return this;
  }

  JettyFixture start() throws Exception {
    jetty.start();
    return this;
  }

  int port() {
    return connector.getLocalPort();
  }

  RawClient client() throws IOException {
    return new RawClient(port());
  }

  /** The shutdown begins; every response says close. */
  void leave() {
    control.leave(Duration.ZERO);
  }

  /** What DRAIN does with a server, once no request is in flight. */
  CompletableFuture<?> drain() throws Exception {
    leave();
    server.stopListening(TomcatFixture.limit());
    server.connections().forEach(HttpConnection::closeIfIdle);
    return server.connectionsEnded().toCompletableFuture();
  }

  long inFlight() {
    return control.gate().inFlight();
  }

  /** Waits until {@code requests} were counted in and out again. */
  void awaitCounted(long requests) {
    await()
        .atMost(TomcatFixture.LIMIT)
        .until(() -> control.started() == requests && control.finished() == requests);
  }

  void stop() throws Exception {
    threads.setStopTimeout(0);
    jetty.stop();
  }
}
