package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.ProbeSubject;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogManager;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A real Tomcat on a port of its own, with the filter in front of the servlets of a test. */
public final class TomcatFixture implements AutoCloseable {
  public static final Duration LIMIT = Duration.ofSeconds(5);

  public final GateControl control = new GateControl(Ticker.system());
  public final ConnectionControl connectionControl = new ConnectionControl();
  public final AtomicBoolean ready = new AtomicBoolean(true);
  public final Probes probes;
  public final ShutdownFilter filter;
  public final Tomcat tomcat = new Tomcat();
  public final Connector connector;
  public final Context context;
  public final TomcatServer server;

  /** What a test's servlet does. */
  @FunctionalInterface
  public interface Service {
    void serve(HttpServletRequest request, HttpServletResponse response)
        throws IOException, ServletException;
  }

  public TomcatFixture() throws IOException {
    this(new Connector(new LastcallProtocol()));
  }

  public TomcatFixture(Connector connector) throws IOException {
    this(connector, Optional.empty());
  }

  /** With the probes of a subject of the test's own. */
  public TomcatFixture(ProbeSubject subject, ProbeToken token) throws IOException {
    this(
        new Connector(new LastcallProtocol()),
        Optional.of(new Probes(subject, token, Ticker.system())));
  }

  private TomcatFixture(Connector connector, Optional<Probes> others) throws IOException {
    probes = others.orElseGet(() -> new Probes(() -> true, ready::get));
    filter = new ShutdownFilter(control.gate(), probes, connectionControl.connections());
    // Tomcat logs every exception that a test throws on purpose.
    LogManager.getLogManager().reset();
    this.connector = connector;
    Path base = Files.createTempDirectory("lastcall");
    tomcat.setBaseDir(base.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    context = tomcat.addContext("", base.toString());
    addFilter("shutdown", filter, DispatcherType.values());
    server = new TomcatServer(connector, filter);
  }

  public TomcatFixture addFilter(String name, Filter added, DispatcherType... types) {
    context.addFilterMap(define(name, added, types));
    return this;
  }

  /** Adds a filter in front of ours. */
  public TomcatFixture addFirst(String name, Filter added) {
    context.addFilterMapBefore(define(name, added, DispatcherType.REQUEST));
    return this;
  }

  private FilterMap define(String name, Filter added, DispatcherType... types) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(added);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern("/*");
    for (DispatcherType type : types) {
      map.setDispatcher(type.name());
    }
    return map;
  }

  public TomcatFixture serve(String path, Service service) {
    Wrapper wrapper =
        Tomcat.addServlet(
            context,
            path,
            new HttpServlet() {
              private static final long serialVersionUID = 1L;

              @Override
              protected void service(HttpServletRequest request, HttpServletResponse response)
                  throws IOException, ServletException {
                service.serve(request, response);
              }
            });
    wrapper.setAsyncSupported(true);
    wrapper.addMapping(path);
    return this;
  }

  public TomcatFixture serveProbes() {
    Wrapper wrapper = Tomcat.addServlet(context, "probes", new ProbeServlet(probes));
    wrapper.setAsyncSupported(true);
    for (String mapping : ProbeServlet.mappings()) {
      wrapper.addMapping(mapping);
    }
    return this;
  }

  public TomcatFixture start() throws Exception {
    tomcat.start();
    return this;
  }

  public int port() {
    return connector.getLocalPort();
  }

  public RawClient client() throws IOException {
    return new RawClient(port());
  }

  /** The shutdown begins; every response says close. */
  public void leave() {
    control.leave(Duration.ZERO);
  }

  public static Deadline limit() {
    return Deadline.after(LIMIT, Ticker.system());
  }

  public long inFlight() {
    return control.gate().inFlight();
  }

  public void awaitInFlight(long expected) {
    await().atMost(LIMIT).until(() -> inFlight() == expected);
  }

  /** Waits until {@code requests} were counted in and out again. */
  public void awaitCounted(long requests) {
    await()
        .atMost(LIMIT)
        .until(() -> control.started() == requests && control.finished() == requests);
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
