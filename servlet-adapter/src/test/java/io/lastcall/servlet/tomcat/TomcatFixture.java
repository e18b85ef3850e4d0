package io.lastcall.servlet.tomcat;

import io.lastcall.probe.ProbeSubject;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Ticker;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.Lock;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.ExpandWar;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A real Tomcat. */
public final class TomcatFixture extends ContainerFixture {
  private final Path base = Files.createTempDirectory("lastcall");
  public final Tomcat tomcat = new Tomcat();
  public final Connector connector;
  public final Context context;
  public final TomcatServer server;

  public TomcatFixture() throws IOException {
    this(new Connector(new LastcallProtocol()));
  }

  public TomcatFixture(Connector connector) throws IOException {
    this(connector, Optional.empty(), TomcatServer::new);
  }

  /**
   * @param role makes the server's
   */
  TomcatFixture(Connector connector, BiFunction<Connector, ShutdownFilter, TomcatServer> role)
      throws IOException {
    this(connector, Optional.empty(), role);
  }

  /** Awaits first requests by {@code firstRequests}. */
  TomcatFixture(Supplier<FirstRequest> firstRequests) throws IOException {
    this();
    ((LastcallProtocol) connector.getProtocolHandler()).endpoint().firstRequests = firstRequests;
  }

  /** With the probes of a subject of the test's own. */
  public TomcatFixture(ProbeSubject subject, ProbeToken token) throws IOException {
    this(
        new Connector(new LastcallProtocol()),
        Optional.of(new Probes(subject, token, Ticker.system())),
        TomcatServer::new);
  }

  private TomcatFixture(
      Connector connector,
      Optional<Probes> others,
      BiFunction<Connector, ShutdownFilter, TomcatServer> role)
      throws IOException {
    super(others);
    this.connector = connector;
    tomcat.setBaseDir(base.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
    context = tomcat.addContext("", base.toString());
    addFilter("shutdown", filter, DispatcherType.values());
    server = role.apply(connector, filter);
  }

  @Override
  public TomcatServer server() {
    return server;
  }

  @Override
  public TomcatFixture addFilter(String name, Filter added, DispatcherType... types) {
    context.addFilterMap(define(name, added, types));
    return this;
  }

  @Override
  public TomcatFixture addFirst(String name, Filter added, DispatcherType... types) {
    context.addFilterMapBefore(define(name, added, types));
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

  @Override
  protected void addServlet(HttpServlet servlet, String... paths) {
    Wrapper wrapper = Tomcat.addServlet(context, paths[0], servlet);
    wrapper.setAsyncSupported(true);
    for (String path : paths) {
      wrapper.addMapping(path);
    }
  }

  @Override
  public TomcatFixture addErrorPage(int status, String path) {
    ErrorPage page = new ErrorPage();
    page.setErrorCode(status);
    page.setLocation(path);
    context.addErrorPage(page);
    return this;
  }

  @Override
  public TomcatFixture start() throws Exception {
    tomcat.start();
    return this;
  }

  /** With every connection's lock held: a worker that has been told of a byte waits for it. */
  @Override
  protected <T> T whileNobodyReads(Callable<T> action) throws Exception {
    List<Lock> locks = new ArrayList<>();
    endpoint().getConnections().forEach(wrapper -> locks.add(TomcatInternals.lock(wrapper)));
    locks.forEach(Lock::lock);
    try {
      return action.call();
    } finally {
      locks.forEach(Lock::unlock);
    }
  }

  DrainingEndpoint endpoint() {
    return ((LastcallProtocol) connector.getProtocolHandler()).endpoint();
  }

  @Override
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() throws LifecycleException {
    try {
      tomcat.stop();
      tomcat.destroy();
    } finally {
      ExpandWar.delete(base.toFile());
    }
  }
}
