package io.lastcall.servlet.jetty;

import io.lastcall.servlet.jetty.JettyFixture.Application;
import jakarta.servlet.ServletContext;
import jakarta.websocket.server.ServerEndpointConfig;
import java.nio.file.Path;
import org.eclipse.jetty.ee10.servlet.DefaultServlet;
import org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.eclipse.jetty.server.Handler;

/** Servlet 6.0 on Jetty 12.0: the same, of another package. */
final class Ee10Application implements Application {
  private final ServletContextHandler context = new ServletContextHandler("/");
  private final ErrorPageErrorHandler pages = new ErrorPageErrorHandler();

  Ee10Application() {
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
