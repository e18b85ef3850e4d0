package io.lastcall.subjects.jetty;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import io.lastcall.servlet.jetty.LastcallHttp2ConnectionFactory;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Events;
import io.lastcall.subjects.servlets.Work;
import jakarta.servlet.Servlet;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * Embedded Jetty with a graceful shutdown. Environment: {@code PORT}; {@code PROBE_PORT}, where
 * set, serves the probes on a port of their own too; {@code NAIVE=true} runs the same server
 * without the library; {@code NAIVE_PORT}, where set, does so beside the other, to compare the two
 * in one JVM; {@code LASTCALL_*}, the library's settings.
 */
public final class JettySubject {
  /** A thread for each request that waits: /work must not hold up others. */
  private static final int THREADS = 2000;

  private JettySubject() {}

  /** Starts the server and returns; Jetty's threads keep the process up. */
  public static void main(String[] args) throws Exception {
    int naivePort = port("NAIVE_PORT", 0);
    if (naivePort > 0) {
      serveNaively(naivePort);
    }
    if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
      serveNaively(port("PORT", 8080));
    } else {
      serve(GracefulShutdown.builder().awaitStarted().install());
    }
  }

  /** All that the library needs: a filter and the probes, the connector, the server. */
  private static void serve(GracefulShutdown shutdown) throws Exception {
    Server jetty = new Server(new QueuedThreadPool(THREADS));
    HttpConfiguration http = new HttpConfiguration();
    LastcallConnector connector =
        new LastcallConnector(
            jetty, new HttpConnectionFactory(http), new LastcallHttp2ConnectionFactory(http));
    ServletContextHandler context = application(jetty, connector, port("PORT", 8080));
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    context.addServletContainerInitializer(new ShutdownInitializer(filter));
    shutdown.server(new JettyServer(connector, filter));
    EchoDeployment.deploy(context, new WebSocketSessions(shutdown.connections()));
    jetty.start();
    shutdown.started();
    report(connector);
  }

  private static void serveNaively(int port) throws Exception {
    Server jetty = new Server(new QueuedThreadPool(THREADS));
    HttpConfiguration http = new HttpConfiguration();
    ServerConnector connector =
        new ServerConnector(
            jetty, new HttpConnectionFactory(http), new HTTP2CServerConnectionFactory(http));
    ServletContextHandler context = application(jetty, connector, port);
    serve(context, new Work.Fast(), "/livez", "/readyz", "/startupz");
    EchoDeployment.deploy(context, new WebSocketSessions(new ConnectionControl().connections()));
    jetty.start();
    report(connector);
  }

  private static ServletContextHandler application(
      Server jetty, ServerConnector connector, int port) {
    listen(jetty, connector, port);
    int probePort = port("PROBE_PORT", 0);
    if (probePort > 0) {
      listen(jetty, new ServerConnector(jetty), probePort);
    }
    ServletContextHandler context = new ServletContextHandler("/");
    jetty.setHandler(context);
    serve(context, new Work.Fast(), "/fast");
    serve(context, new Work(), "/work");
    serve(context, new Work.Stream(), "/stream");
    serve(context, new Work.Upload(), "/upload");
    serve(context, new Events(), "/sse");
    return context;
  }

  private static void listen(Server jetty, ServerConnector connector, int port) {
    connector.setPort(port);
    jetty.addConnector(connector);
  }

  private static void serve(ServletContextHandler context, Servlet servlet, String... paths) {
    ServletHolder holder = new ServletHolder(servlet);
    holder.setAsyncSupported(true);
    for (String path : paths) {
      context.addServlet(holder, path);
    }
  }

  private static void report(ServerConnector connector) {
    System.out.println("ready on port " + connector.getLocalPort());
  }

  private static int port(String variable, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
  }
}
