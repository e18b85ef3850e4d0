package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.LogManager;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ShutdownInitializerTest {
  private final GateControl control = new GateControl(Ticker.system());
  private final ShutdownFilter filter =
      new ShutdownFilter(
          control.gate(),
          new Probes(() -> true, () -> true),
          new ConnectionControl().connections());
  private final AtomicLong counted = new AtomicLong();
  private final Tomcat tomcat = new Tomcat();
  private final Connector connector = new Connector(new LastcallProtocol());

  private final Path base;

  ShutdownInitializerTest(@TempDir Path base) {
    this.base = base;
  }

  @BeforeEach
  void configure() {
    LogManager.getLogManager().reset();
    tomcat.setBaseDir(base.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  /** Sees how many requests are in flight while its own is. */
  private void serve(Context context) {
    Tomcat.addServlet(
            context,
            "plain",
            new HttpServlet() {
              private static final long serialVersionUID = 1L;

              @Override
              protected void doGet(HttpServletRequest request, HttpServletResponse response)
                  throws IOException {
                counted.set(control.gate().inFlight());
                response.getWriter().print("plain");
              }
            })
        .addMapping("/plain");
  }

  /** Initializers are looked for; those of the other containers of these tests are not wanted. */
  private Context webapp() {
    Context context = tomcat.addWebapp("", base.toString());
    context.setContainerSciFilter("jetty|undertow");
    return context;
  }

  private void assertCountedAndProbed(int counts, int probeStatus) throws Exception {
    try (RawClient client = new RawClient(connector.getLocalPort())) {
      assertEquals("plain", client.exchange("/plain").body());
      assertEquals(counts, counted.get());
      assertEquals(probeStatus, client.exchange("/readyz").status());
    }
  }

  @Test
  void givenToTheContext_filterAndProbesAreThere() throws Exception {
    Context context = tomcat.addContext("", base.toString());
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    serve(context);
    tomcat.start();
    assertCountedAndProbed(1, 200);
  }

  @Test
  void foundByTheContainer_takesTheFilterOfTheAttribute() throws Exception {
    Context context = webapp();
    context.getServletContext().setAttribute(ShutdownInitializer.FILTER, filter);
    serve(context);
    tomcat.start();
    assertCountedAndProbed(1, 200);
  }

  @Test
  void foundByTheContainer_withoutTheAttribute_registersNothing() throws Exception {
    serve(webapp());
    tomcat.start();
    assertCountedAndProbed(0, 404);
  }

  @Test
  void attributeOfAnotherType_isRefused() {
    Context context = tomcat.addContext("", base.toString());
    context.getServletContext().setAttribute(ShutdownInitializer.FILTER, "yes");
    IllegalStateException refused =
        assertThrows(
            IllegalStateException.class,
            () -> new ShutdownInitializer().onStartup(null, context.getServletContext()));
    assertEquals(
        "Attribute io.lastcall.servlet.ShutdownFilter is a java.lang.String; allowed: a filter of"
            + " that type",
        refused.getMessage());
  }

  @Test
  void registeredTwice_isRefused() throws Exception {
    Context context = tomcat.addContext("", base.toString());
    ShutdownInitializer initializer = new ShutdownInitializer(filter);
    AtomicLong refusals = new AtomicLong();
    context.addServletContainerInitializer(initializer, null);
    context.addServletContainerInitializer(
        (types, servlets) -> {
          IllegalStateException refused =
              assertThrows(
                  IllegalStateException.class, () -> initializer.onStartup(types, servlets));
          assertEquals(
              "io.lastcall.servlet.ShutdownFilter or io.lastcall.servlet.ProbeServlet is registered"
                  + " in the context '' already; allowed: once, by hand or by the initializer",
              refused.getMessage());
          refusals.incrementAndGet();
        },
        null);
    tomcat.start();
    assertEquals(LifecycleState.STARTED, context.getState());
    assertEquals(1, refusals.get());
  }
}
