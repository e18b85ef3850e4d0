package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.probe.Check;
import io.lastcall.probe.CheckResult;
import io.lastcall.probe.ProbeKind;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.testing.RawClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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

@Timeout(60)
class ShutdownInitializerTest {
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

  private void assertCountedAndProbed(int counts, int probeStatus) throws Exception {
    try (RawClient client = tomcat.client()) {
      assertEquals("plain", client.exchange("/plain").body());
      assertEquals(counts, counted.get());
      assertEquals(probeStatus, client.exchange("/readyz").status());
    }
  }

  @Test
  void givenToTheContext_filterAndProbesAreThere() throws Exception {
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    serve(context);
    tomcat.start();
    assertCountedAndProbed(1, 200);
  }

  @Test
  void foundByTheContainer_takesTheFilterOfTheAttribute() throws Exception {
    Context context = tomcat.addWebapp();
    context.getServletContext().setAttribute(ShutdownInitializer.FILTER, tomcat.filter);
    serve(context);
    tomcat.start();
    assertCountedAndProbed(1, 200);
  }

  @Test
  void foundByTheContainer_withoutTheAttribute_registersNothing() throws Exception {
    serve(tomcat.addWebapp());
    tomcat.start();
    assertCountedAndProbed(0, 404);
  }

  /** What a web.xml has unless it says otherwise. */
  @Test
  void probe_filterBehindOursKnowsNoAsync_isAnsweredWhenItsCheckHasEnded() throws Exception {
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    addFilterWithoutAsync(context);
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Check slow =
        Check.of(
            "slow",
            () -> {
              ContainerFixture.block(entered, goOn);
              return CheckResult.up();
            });
    tomcat.filter.probes().check(ProbeKind.READINESS, slow.withTimeout(Duration.ofMinutes(1)));
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/readyz");
      entered.await();
      goOn.countDown();
      assertEquals(200, client.read().status());
    }
  }

  private static void addFilterWithoutAsync(Context context) {
    FilterDef filter = new FilterDef();
    filter.setFilterName("application's");
    filter.setFilter((request, response, chain) -> chain.doFilter(request, response));
    filter.setAsyncSupported("false");
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
  void attributeOfAnotherType_isRefused() {
    Context context = tomcat.addContext();
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
