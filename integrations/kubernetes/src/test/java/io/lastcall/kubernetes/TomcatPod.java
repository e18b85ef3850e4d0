package io.lastcall.kubernetes;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/** The main of a container with Tomcat, whose requests take {@link #WORK}; declared are 30 s. */
final class TomcatPod {
  /** How long a request takes. */
  static final Duration WORK = Duration.ofMillis(500);

  private TomcatPod() {}

  public static void main(String[] arguments) throws Exception {
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .gracePeriod(Duration.ofSeconds(30))
            .propagationDelay(Duration.ofSeconds(10))
            .install();
    Connector connector = new Connector(new LastcallProtocol());
    connector.setPort(0);
    connector.setThrowOnFailure(true);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(arguments[0]);
    tomcat.setConnector(connector);
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    Context context = tomcat.addContext("", null);
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    Tomcat.addServlet(context, "work", new Work()).addMapping("/");
    shutdown.server(new TomcatServer(connector, filter));
    tomcat.start();
    System.out.println("ready on port " + connector.getLocalPort());
  }

  private static final class Work extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try {
        Thread.sleep(WORK.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      response.getWriter().println("done");
    }
  }
}
