package io.lastcall.subjects.tomcat;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Events;
import io.lastcall.subjects.servlets.Work;
import jakarta.servlet.Servlet;
import java.io.File;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;

/**
 * Embedded Tomcat with a graceful shutdown. Environment: {@code PORT}; {@code PROBE_PORT}, where
 * set, serves the probes on a port of their own too; {@code NAIVE=true} runs the same server
 * without the library; {@code NAIVE_PORT}, where set, does so beside the other, to compare the two
 * in one JVM; {@code LASTCALL_*}, the library's settings.
 */
public final class TomcatSubject {
  /** Kept, or the level set on it is forgotten with it. */
  private static final Logger TOMCAT_LOG = Logger.getLogger("org.apache");

  private TomcatSubject() {}

  /**
   * Starts the server and returns; Tomcat's threads keep the process up, a failed start ends it.
   */
  public static void main(String[] args) {
    TOMCAT_LOG.setLevel(Level.WARNING);
    try {
      int naivePort = port("NAIVE_PORT", 0);
      if (naivePort > 0) {
        serveNaively(naivePort);
      }
      if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
        serveNaively(port("PORT", 8080));
      } else {
        serve(GracefulShutdown.builder().awaitStarted().install());
      }
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  /** All that the library needs: a filter and the probes, the connector, the server. */
  private static void serve(GracefulShutdown shutdown) throws LifecycleException {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    Tomcat tomcat = tomcat(connector, port("PORT", 8080));
    Context context = application(tomcat);
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    shutdown.server(new TomcatServer(connector, filter));
    EchoDeployment.deploy(context, new WebSocketSessions(shutdown.connections()));
    tomcat.start();
    shutdown.started();
    report(connector);
  }

  private static void serveNaively(int port) throws LifecycleException {
    Connector connector = new Connector();
    connector.addUpgradeProtocol(new Http2Protocol());
    Tomcat tomcat = tomcat(connector, port);
    Context context = application(tomcat);
    serve(context, "/livez /readyz /startupz", new Work.Fast());
    EchoDeployment.deploy(context, new WebSocketSessions(new ConnectionControl().connections()));
    tomcat.start();
    report(connector);
  }

  private static Context application(Tomcat tomcat) {
    Context context = tomcat.addContext("", new File(".").getAbsolutePath());
    serve(context, "/fast", new Work.Fast());
    serve(context, "/work", new Work());
    serve(context, "/stream", new Work.Stream());
    serve(context, "/upload", new Work.Upload());
    serve(context, "/sse", new Events());
    serve(context, "/ws", new EchoDeployment.NoWebSocket());
    return context;
  }

  private static Tomcat tomcat(Connector connector, int port) {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    tomcat.setConnector(connector(connector, port));
    int probePort = port("PROBE_PORT", 0);
    if (probePort > 0) {
      tomcat.getService().addConnector(connector(new Connector(), probePort));
    }
    return tomcat;
  }

  private static Connector connector(Connector connector, int port) {
    connector.setPort(port);
    // A thread for each request that waits: /work must not hold up others.
    connector.setProperty("maxThreads", "2000");
    // Otherwise a port that is taken is logged, and the service counts as started.
    connector.setThrowOnFailure(true);
    return connector;
  }

  private static void serve(Context context, String paths, Servlet servlet) {
    Wrapper wrapper = Tomcat.addServlet(context, paths, servlet);
    wrapper.setAsyncSupported(true);
    for (String path : paths.split(" ", -1)) {
      wrapper.addMapping(path);
    }
  }

  private static void report(Connector connector) {
    System.out.println("ready on port " + connector.getLocalPort());
  }

  private static int port(String variable, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
  }
}
