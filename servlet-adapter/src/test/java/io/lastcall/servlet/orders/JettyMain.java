package io.lastcall.servlet.orders;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.jetty.JettyServer;
import io.lastcall.servlet.jetty.LastcallConnector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;

/** Starts a Jetty that is to be drained, and ends. */
final class JettyMain {
  private JettyMain() {}

  public static void main(String[] arguments) {
    try {
      start();
      System.out.println("started");
    } catch (Throwable t) {
      System.out.println(t);
    }
    Runtime.getRuntime().halt(0);
  }

  private static void start() throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().install();
    Server server = new Server();
    LastcallConnector connector = new LastcallConnector(server, new HttpConnectionFactory());
    server.addConnector(connector);
    shutdown.server(new JettyServer(connector, ShutdownFilter.of(shutdown)));
    server.start();
  }
}
