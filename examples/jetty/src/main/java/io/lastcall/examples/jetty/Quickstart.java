package io.lastcall.examples.jetty;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import io.lastcall.servlet.jetty.LastcallHttp2ConnectionFactory;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;

/** What a service on embedded Jetty needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that says hello on port 8080. */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    Server server = new Server();
    HttpConfiguration http = new HttpConfiguration();
    LastcallConnector connector = // Jetty's ServerConnector, able to drain
        new LastcallConnector(
            server,
            new HttpConnectionFactory(http),
            new LastcallHttp2ConnectionFactory(http)); // for HTTP/2
    connector.setPort(8080);
    server.addConnector(connector);

    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    ServletContextHandler context = new ServletContextHandler("/");
    context.addServletContainerInitializer(new ShutdownInitializer(filter));
    context.addServlet(new Hello(), "/");
    server.setHandler(context);

    shutdown.server(new JettyServer(connector, filter));
    server.start();
    shutdown.started(); // it listens: from here on it is ready
  }

  private static final class Hello extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getWriter().println("hello");
    }
  }
}
