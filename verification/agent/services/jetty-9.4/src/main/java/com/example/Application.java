package com.example;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.server.handler.HandlerList;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;

/**
 * A handler of Jetty's own beside an application of servlets. Each answers /hold, and what is below
 * it, once a line has come on standard input.
 */
public class Application {
  public static void main(String[] args) throws Exception {
    Server server = new Server(0);
    ServletContextHandler servlets = new ServletContextHandler(null, "/servlets");
    servlets.addServlet(new ServletHolder(new Servlet()), "/*");
    HandlerList handlers = new HandlerList();
    handlers.addHandler(servlets);
    handlers.addHandler(new Plain());
    server.setHandler(handlers);
    server.start();
    int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
    System.out.println("ready on port " + port);
  }

  private static class Plain extends AbstractHandler {
    @Override
    public void handle(
        String target, Request base, HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      base.setHandled(true);
      answer(target, response);
    }
  }

  private static class Servlet extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      answer(request.getPathInfo(), response);
    }
  }

  private static void answer(String path, HttpServletResponse response) throws IOException {
    if (path.equals("/hold")) {
      System.out.println("holds");
      System.in.read();
    }
    response.getWriter().print("answered");
  }
}
