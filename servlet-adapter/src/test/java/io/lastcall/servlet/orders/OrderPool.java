package io.lastcall.servlet.orders;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** Takes what the application is lent, and has a step of its own. */
@WebListener
public final class OrderPool implements ServletContextListener {
  @Override
  public void contextInitialized(ServletContextEvent event) {
    ServletContext context = event.getServletContext();
    OrderSocket.SESSIONS.complete(
        (WebSocketSessions) context.getAttribute(WebSocketSessions.class.getName()));
    ((GracefulShutdown) context.getAttribute(GracefulShutdown.class.getName()))
        .step(Phase.CLOSE_CONNECTIONS, "pool", unused -> System.out.println("orders: pool closed"));
  }

  @Override
  public void contextDestroyed(ServletContextEvent event) {
    System.out.println("orders: destroyed");
  }
}
