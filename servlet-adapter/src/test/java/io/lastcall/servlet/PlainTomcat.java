package io.lastcall.servlet;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.ContainerFixture.Service;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.LogManager;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** A Tomcat without contexts, and a filter that is in none of them yet. */
final class PlainTomcat implements AutoCloseable {
  final GateControl control = new GateControl(Ticker.system());
  final ShutdownFilter filter;
  private final Tomcat tomcat = new Tomcat();
  final Connector connector;
  private final Path base;

  PlainTomcat(Path base, Connector connector) {
    this(base, connector, FixedProbes.of(() -> true, () -> true));
  }

  PlainTomcat(Path base, Connector connector, Probes probes) {
    filter = new ShutdownFilter(control.gate(), probes, new ConnectionControl().connections());
    LogManager.getLogManager().reset();
    this.base = base;
    this.connector = connector;
    tomcat.setBaseDir(base.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
  }

  Context addContext() {
    return tomcat.addContext("", base.toString());
  }

  static void serve(Context context, String path, Service service) {
    Tomcat.addServlet(context, path, ContainerFixture.servlet(service)).addMapping(path);
  }

  void start() throws LifecycleException {
    tomcat.start();
  }

  RawClient client() throws IOException {
    return new RawClient(connector.getLocalPort());
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
