package io.lastcall.examples.tomcat;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.tomcat.LastcallHttp2Protocol;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** What a service on embedded Tomcat needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that says hello on port 8080. */
  public static void main(String[] args) throws LifecycleException {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();

    Connector connector = new Connector(new LastcallProtocol()); // Tomcat's NIO, able to drain
    connector.setPort(8080);
    connector.setThrowOnFailure(true); // otherwise a port that is taken is only logged
    connector.addUpgradeProtocol(new LastcallHttp2Protocol()); // for HTTP/2
    Tomcat tomcat = new Tomcat();
    tomcat.setConnector(connector);

    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    Context context = tomcat.addContext("", null);
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    Tomcat.addServlet(context, "hello", new Hello()).addMapping("/");

    shutdown.server(new TomcatServer(connector, filter));
    tomcat.start();
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
