package io.lastcall.agent;

import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Embedded Jetty with a handler alone, no servlets. */
final class JettyHandlersApplication {
  private JettyHandlersApplication() {}

  public static void main(String[] args) throws Exception {
    Server server = new Server();
    ServerConnector connector = new ServerConnector(server);
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) {
            String path = Request.getPathInContext(request);
            Content.Sink.write(response, true, Rendezvous.answer(path), callback);
            return true;
          }
        });
    server.start();
    System.out.println("ready on port " + connector.getLocalPort());
  }
}
