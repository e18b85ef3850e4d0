package io.lastcall.agent;

import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/**
 * Embedded Jetty with a handler of Jetty's own beside an application of servlets. A second
 * acceptor, by a system property, is one that cannot be drained without loss.
 */
final class JettyMixedApplication {
  private JettyMixedApplication() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server();
    int acceptors = Boolean.getBoolean("coarse") ? 2 : 1;
    ServerConnector connector =
        new ServerConnector(server, acceptors, 1, new HttpConnectionFactory());
    server.addConnector(connector);
    ServletContextHandler servlets = new ServletContextHandler("/servlets");
    server.setHandler(new Handler.Sequence(servlets, new Plain()));
    server.start();
    System.out.println("ready on port " + connector.getLocalPort());
  }

  private static final class Plain extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      String path = Request.getPathInContext(request);
      Content.Sink.write(response, true, Rendezvous.answer(path), callback);
      return true;
    }
  }
}
