package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import jakarta.servlet.Filter;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ShutdownInitializerTest {
  private static final String TOKEN = "0123456789abcdef";

  private final AtomicLong counted = new AtomicLong();
  private final PlainTomcat tomcat;

  ShutdownInitializerTest(@TempDir Path base) {
    tomcat = new PlainTomcat(base, new Connector(new LastcallProtocol()));
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.close();
  }

  /** Sees how many requests are in flight while its own is. */
  private void serve(Context context) {
    PlainTomcat.serve(
        context,
        "/plain",
        (request, response) -> {
          counted.set(tomcat.control.gate().inFlight());
          response.getWriter().print("plain");
        });
  }

  @Test
  void givenToTheContext_filterAndProbesAreThere() throws Exception {
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    serve(context);
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals("plain", client.exchange("/plain").body());
      assertEquals(1, counted.get());
      assertEquals(200, client.exchange("/readyz").status());
    }
  }

  @Test
  void counting_noApplicationHasTheFilter_isMissingOnceOneRuns() throws Exception {
    TomcatServer server = new TomcatServer(tomcat.connector, tomcat.filter);
    serve(tomcat.addContext());
    assertEquals(Counting.UNKNOWN, server.counting());
    tomcat.start();
    assertEquals(Counting.MISSING, server.counting());
  }

  @Test
  void counting_initializerGiven_isInPlaceFromTheStartOn() throws Exception {
    TomcatServer server = new TomcatServer(tomcat.connector, tomcat.filter);
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    assertEquals(Counting.UNKNOWN, server.counting());
    tomcat.start();
    assertEquals(Counting.IN_PLACE, server.counting());
  }

  @Test
  void counting_filterWithinAnotherThatKeepsInitToItself_isInPlaceFromTheFirstRequestOn()
      throws Exception {
    TomcatServer server = new TomcatServer(tomcat.connector, tomcat.filter);
    Context context = tomcat.addContext();
    addFilter(context, tomcat.filter::doFilter, "true");
    serve(context);
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.exchange("/plain");
    }
    assertEquals(Counting.IN_PLACE, server.counting());
  }

  /** As with {@code LastcallListener}, which gives the filter to those that are deployed later. */
  @Test
  void counting_noApplicationRuns_isUnknown() throws Exception {
    TomcatServer server = new TomcatServer(tomcat.connector, tomcat.filter);
    tomcat.start();
    assertEquals(Counting.UNKNOWN, server.counting());
  }

  /** What a web.xml has unless it says otherwise. */
  @Test
  void prestop_filterBehindOursKnowsNoAsync_isAnsweredWhenPropagationIsOver(@TempDir Path base)
      throws Exception {
    PendingShutdown shutdown = new PendingShutdown();
    Probes probes = new Probes(shutdown, ProbeToken.of(TOKEN), Ticker.system());
    try (PlainTomcat withHook =
        new PlainTomcat(base, new Connector(new LastcallProtocol()), probes)) {
      Context context = withHook.addContext();
      context.addServletContainerInitializer(new ShutdownInitializer(withHook.filter), null);
      addFilterWithoutAsync(context);
      withHook.start();
      try (RawClient client = withHook.client()) {
        client.get("/prestop/" + TOKEN);
        await().until(() -> shutdown.preStops.get() == 1);
        shutdown.propagated.complete(null);
        assertEquals(200, client.read().status());
      }
    }
  }

  private static void addFilterWithoutAsync(Context context) {
    addFilter(context, (request, response, chain) -> chain.doFilter(request, response), "false");
  }

  private static void addFilter(Context context, Filter added, String async) {
    FilterDef filter = new FilterDef();
    filter.setFilterName("application's");
    filter.setFilter(added);
    filter.setAsyncSupported(async);
    context.addFilterDef(filter);
    FilterMap map = new FilterMap();
    map.setFilterName(filter.getFilterName());
    map.addURLPattern("/*");
    context.addFilterMap(map);
  }

  @Test
  void withoutAToken_prestopIsTheApplications() throws Exception {
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    PlainTomcat.serve(
        context, "/prestop", (request, response) -> response.getWriter().print("theirs"));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      assertEquals("theirs", client.exchange("/prestop").body());
    }
  }

  @Test
  void registeredTwice_isRefused() throws Exception {
    Context context = tomcat.addContext();
    ShutdownInitializer initializer = new ShutdownInitializer(tomcat.filter);
    AtomicLong refusals = new AtomicLong();
    context.addServletContainerInitializer(initializer, null);
    context.addServletContainerInitializer(
        (types, servlets) -> {
          IllegalStateException refused =
              assertThrows(
                  IllegalStateException.class, () -> initializer.onStartup(types, servlets));
          assertEquals(
              "io.lastcall.servlet.ShutdownFilter is registered"
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
