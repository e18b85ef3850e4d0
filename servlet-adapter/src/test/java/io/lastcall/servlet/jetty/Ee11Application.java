package io.lastcall.servlet.jetty;

import io.lastcall.servlet.jetty.JettyFixture.Application;
import jakarta.servlet.ServletContext;
import jakarta.websocket.server.ServerEndpointConfig;
import java.nio.file.Path;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.eclipse.jetty.ee11.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.server.Handler;

/** Servlet 6.1 on Jetty 12.1. */
final class Ee11Application implements Application {
  private final ServletContextHandler context = new ServletContextHandler("/");
  private final ErrorPageErrorHandler pages = new ErrorPageErrorHandler();

  Ee11Application() {
    context.setErrorHandler(pages);
  }

  @Override
  public Handler handler() {
    return context;
  }

  @Override
  public ServletContext servlets() {
    return context.getServletContext();
  }

  @Override
  public void addErrorPage(int status, String path) {
    pages.addErrorPage(status, path);
  }

  @Override
  public void serveFiles(Path directory) {
    context.setBaseResourceAsPath(directory);
    context.addServlet(DefaultServlet.class, "/");
  }

  @Override
  public void addEndpoint(ServerEndpointConfig endpoint) {
    JakartaWebSocketServletContainerInitializer.configure(
        context, (servlets, server) -> server.addEndpoint(endpoint));
  }
}
