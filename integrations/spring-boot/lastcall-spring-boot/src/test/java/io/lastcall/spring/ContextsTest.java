package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.lastcall.spring.service.TestApplication;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** Application contexts in this JVM: their beans, their readiness, and what is left of them. */
@Timeout(600)
class ContextsTest {
  static final String[] QUIET = {
    "--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=warn"
  };

  @Test
  void contexts_closedWithoutASignal_uninstallWithTheLast() {
    ConfigurableApplicationContext first = SpringApplication.run(TestApplication.class, QUIET);
    ConfigurableApplicationContext second = SpringApplication.run(TestApplication.class, QUIET);
    GracefulShutdown shutdown = first.getBean(GracefulShutdown.class);
    assertEquals(shutdown, second.getBean(GracefulShutdown.class));
    first.close();
    assertThrows(IllegalStateException.class, () -> GracefulShutdown.builder().install());
    second.close();
    GracefulShutdown other = GracefulShutdown.builder().install();
    other.uninstall();
  }

  @Test
  void contexts_firstIsClosed_readinessFollowsTheOther() throws Exception {
    ConfigurableApplicationContext first = SpringApplication.run(TestApplication.class, QUIET);
    try (ConfigurableApplicationContext second =
        SpringApplication.run(TestApplication.class, QUIET)) {
      GracefulShutdown shutdown = second.getBean(GracefulShutdown.class);
      first.close();
      awaitReadiness(shutdown, true);
      AvailabilityChangeEvent.publish(second, ReadinessState.REFUSING_TRAFFIC);
      awaitReadiness(shutdown, false);
    }
  }

  @Test
  void contexts_oneIsClosed_itAndItsBeansAreCollected() {
    try (ConfigurableApplicationContext other =
        SpringApplication.run(TestApplication.class, QUIET)) {
      List<WeakReference<Object>> closed = runAndClose();
      Awaitility.await()
          .until(
              () -> {
                System.gc();
                return closed.stream().allMatch(reference -> reference.get() == null);
              });
      assertTrue(other.isActive());
    }
  }

  /** In a frame of its own, which keeps nothing alive. */
  private static List<WeakReference<Object>> runAndClose() {
    // Without a server: one of Spring Boot's keeps its context by itself.
    String[] plain = {"--spring.main.web-application-type=none", "--logging.level.root=warn"};
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, plain)) {
      return List.of(
          new WeakReference<>(context.getBean("testApplication.Orders")),
          new WeakReference<>(context));
    }
  }

  @Test
  void contexts_oneIsClosed_itsMetersAreOutOfItsRegistry() {
    try (ConfigurableApplicationContext other =
        SpringApplication.run(TestApplication.class, QUIET)) {
      MeterRegistry registry;
      try (ConfigurableApplicationContext context =
          SpringApplication.run(TestApplication.class, QUIET)) {
        registry = context.getBean(MeterRegistry.class);
        assertEquals(1, registry.find("lastcall.ready").gauges().size());
      }
      assertEquals(0, registry.find("lastcall.ready").gauges().size());
      MeterRegistry others = other.getBean(MeterRegistry.class);
      assertEquals(1, others.find("lastcall.ready").gauges().size());
    }
  }

  @Test
  void applicationRefusesTraffic_ourReadiness_follows() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
      awaitReadiness(shutdown, true);
      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      awaitReadiness(shutdown, false);
    }
  }

  @Test
  void childContext_itsServerCloses_parentStaysReady() {
    try (ConfigurableApplicationContext context =
            SpringApplication.run(TestApplication.class, QUIET);
        GenericApplicationContext child = new GenericApplicationContext(context)) {
      child.refresh();
      AvailabilityChangeEvent.publish(child, ReadinessState.REFUSING_TRAFFIC);
      assertEquals(ReadinessState.ACCEPTING_TRAFFIC, state(context));
      awaitReadiness(context.getBean(GracefulShutdown.class), true);
    }
  }

  @Test
  void childContext_isReadyFirst_parentHasNotStarted() {
    Class<?>[] sources = {TestApplication.class, RunsAChild.class};
    try (ConfigurableApplicationContext context = SpringApplication.run(sources, QUIET)) {
      assertEquals(503, context.getBean(RunsAChild.class).startup);
      Probes probes = context.getBean(GracefulShutdown.class).probes();
      assertEquals(200, status(probes, "/startupz"));
    }
  }

  /** Within its own start-up. */
  @Configuration(proxyBeanMethods = false)
  static class RunsAChild {
    int startup;

    @Bean
    ApplicationRunner runner(ConfigurableApplicationContext context, GracefulShutdown shutdown) {
      return arguments -> {
        SpringApplicationBuilder child = new SpringApplicationBuilder(Names.class);
        child.parent(context).web(WebApplicationType.NONE).run().close();
        startup = status(shutdown.probes(), "/startupz");
      };
    }
  }

  /** That of the second shutdown of a process, too, as where devtools restart the application. */
  @RepeatedTest(2)
  void applicationIsBroken_ourLiveness_saysSo() {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      Probes probes = context.getBean(GracefulShutdown.class).probes();
      assertEquals(200, liveness(probes));
      AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
      Awaitility.await().until(() -> liveness(probes), code -> code == 503);
      AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
      Awaitility.await().until(() -> liveness(probes), code -> code == 200);
    }
  }

  private static int liveness(Probes probes) {
    return status(probes, "/livez");
  }

  private static int status(Probes probes, String path) {
    ProbeRequest request = ProbeRequest.of("GET", path, name -> null);
    return probes.answer(request).toCompletableFuture().join().status();
  }

  @Test
  void applicationHasBeansWithSuchNames_starts() {
    Class<?>[] sources = {TestApplication.class, Names.class};
    try (ConfigurableApplicationContext context = SpringApplication.run(sources, QUIET)) {
      assertEquals("theirs", context.getBean("gracefulShutdown"));
      assertEquals(1, context.getBeanNamesForType(GracefulShutdown.class).length);
    }
  }

  /** Of an application that knew of graceful shutdowns before. */
  @Configuration(proxyBeanMethods = false)
  static class Names {
    @Bean
    String gracefulShutdown() {
      return "theirs";
    }

    @Bean
    String webSocketSessions() {
      return "theirs";
    }
  }

  /** As Actuator shows it. */
  static ReadinessState state(ConfigurableApplicationContext context) {
    return context.getBean(ApplicationAvailability.class).getReadinessState();
  }

  /** The context is asked once a second. */
  static void awaitReadiness(GracefulShutdown shutdown, boolean wanted) {
    Awaitility.await().until(() -> shutdown.probes().isReady() == wanted);
  }

  @Test
  void prestop_withoutAToken_isTheApplications() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      String port = context.getEnvironment().getRequiredProperty("local.server.port");
      URI uri = URI.create("http://127.0.0.1:" + port + "/prestop");
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      HttpResponse<String> answer =
          HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
      assertEquals("theirs", answer.body());
    }
  }
}
