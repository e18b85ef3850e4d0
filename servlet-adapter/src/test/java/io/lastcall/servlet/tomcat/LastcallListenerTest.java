package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.ServletException;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LastcallListenerTest {
  private final Tomcat tomcat = new Tomcat();
  private final String base;

  LastcallListenerTest(@TempDir Path base) {
    this.base = base.toString();
    tomcat.setBaseDir(this.base);
    tomcat.getServer().addLifecycleListener(new LastcallListener());
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  private void listen(Connector connector) {
    connector.setPort(0);
    tomcat.getService().addConnector(connector);
  }

  private Context application(String path) {
    return tomcat.addContext(path, base);
  }

  private static GracefulShutdown shutdown(Context context) {
    return assertInstanceOf(
        GracefulShutdown.class,
        context.getServletContext().getAttribute(GracefulShutdown.class.getName()));
  }

  private static void assertLent(Context context) {
    assertEquals(LifecycleState.STARTED, context.getState());
    assertNotNull(shutdown(context));
    assertInstanceOf(
        WebSocketSessions.class,
        context.getServletContext().getAttribute(WebSocketSessions.class.getName()));
    assertNotNull(
        context.getServletContext().getFilterRegistration(ShutdownFilter.class.getName()));
  }

  @Test
  void everythingStarted_isReady() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    Context orders = application("/orders");
    Context stock = application("/stock");
    tomcat.start();
    assertLent(orders);
    assertLent(stock);
    assertTrue(shutdown(orders).probes().isReady());
  }

  @Test
  void applicationThatFails_keepsTheProcessUnready() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    Context orders = application("/orders");
    Context stock = application("/stock");
    stock.addServletContainerInitializer(
        (types, servlets) -> {
          throw new ServletException("no database");
        },
        null);
    tomcat.start();
    assertEquals(LifecycleState.STARTED, orders.getState());
    assertFalse(shutdown(orders).probes().isReady());
  }

  @Test
  void connectorThatFails_keepsTheProcessUnready() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    Connector undrainable = new Connector(new LastcallProtocol());
    undrainable.addUpgradeProtocol(new Http2Protocol());
    listen(undrainable);
    Context orders = application("/orders");
    tomcat.start();
    assertFalse(shutdown(orders).probes().isReady());
  }

  @Test
  void connectorOfAnotherProtocol_doesNotKeepItFromBeingReady() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    listen(new Connector());
    Context orders = application("/orders");
    tomcat.start();
    assertTrue(shutdown(orders).probes().isReady());
  }

  @Test
  void reloaded_isLentAllAgain() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    Context orders = tomcat.addWebapp("/orders", base);
    orders.setContainerSciFilter("jetty");
    tomcat.start();
    orders.reload();
    assertLent(orders);
  }

  @Test
  void deployedLater_isLentAllToo() throws Exception {
    listen(new Connector(new LastcallProtocol()));
    tomcat.getHost();
    tomcat.start();
    assertLent(application("/orders"));
  }

  @Test
  void noConnectorThatCanBeDrained_doesNotStart() {
    listen(new Connector());
    LifecycleException refused = assertThrows(LifecycleException.class, tomcat::start);
    assertEquals(
        "No Connector can be drained without loss; allowed: one at least with"
            + " protocol=\"io.lastcall.servlet.tomcat.LastcallProtocol\"",
        assertInstanceOf(IllegalStateException.class, refused.getCause()).getMessage());
  }

  @Test
  void listenerOfTheHost_isRefused() {
    LifecycleEvent event =
        new LifecycleEvent(tomcat.getHost(), Lifecycle.BEFORE_INIT_EVENT, new Object());
    assertEquals(
        "Listener io.lastcall.servlet.tomcat.LastcallListener is inside of"
            + " StandardEngine[Tomcat].StandardHost[localhost]; allowed: in the Server itself",
        assertThrows(
                IllegalStateException.class, () -> new LastcallListener().lifecycleEvent(event))
            .getMessage());
  }
}
