package io.lastcall.examples.war;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;

/** A step of the application: it runs when the last request has its response. */
@WebListener
public final class Outbox implements ServletContextListener {

  /** Tomcat's {@code LastcallListener} lends the shutdown to each application; without it: null. */
  @Override
  public void contextInitialized(ServletContextEvent event) {
    Object lent = event.getServletContext().getAttribute(GracefulShutdown.class.getName());
    if (lent instanceof GracefulShutdown shutdown) {
      shutdown.components(this);
    }
  }

  @OnShutdown(phase = Phase.CLOSE_CONNECTIONS, timeout = "2s")
  void flush() {
    System.out.println("The outbox is flushed");
  }
}
