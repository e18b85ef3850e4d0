package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.lastcall.GracefulShutdown;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.spring.service.TestApplication;
import io.lastcall.testing.RawHttp2;
import jakarta.servlet.ServletContext;
import java.lang.ref.WeakReference;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
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
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;

/** On the server that is on the class path: the build runs it on Tomcat and on Jetty. */
@Timeout(180)
class StarterTest {
  private static final String[] QUIET = {
    "--server.port=0", "--spring.main.banner-mode=off", "--logging.level.root=warn"
  };

  @Test
  void springBoot_isTheOneOfThisRun() {
    assertEquals(
        System.getProperty("expected.spring-boot.version"), SpringBootVersion.getVersion());
  }

  @Test
  void sigterm_requestInFlight_isAnsweredAndPhasesRunBeforeTheContextCloses() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      int port = service.port();
      CompletableFuture<HttpResponse<String>> slow = service.get(port, "/slow");
      service.awaitLine("slow began");
      service.terminate();
      assertEquals("slow", slow.get(30, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      int consumers = service.index("consumers stopped");
      int drained = service.index("CLOSE_CONNECTIONS for up to");
      int destroyed = service.index("bean destroyed");
      int left = service.index("orders left");
      int clean = service.index("Shutdown clean");
      assertTrue(0 <= consumers && consumers < drained, service::output);
      assertTrue(drained < destroyed && destroyed < left && left < clean, service::output);
      assertEquals(1, service.count("consumers stopped"), service::output);
      assertEquals(1, service.count("factory stopped"), service::output);
    }
  }

  @Test
  void http2_requestInFlight_isAnswered() throws Exception {
    try (Service service =
        Service.start("--server.http2.enabled=true", "--lastcall.propagation-delay=0s")) {
      try (RawHttp2 peer = new RawHttp2(service.port())) {
        peer.get(1, "/slow");
        service.awaitLine("slow began");
        service.terminate();
        assertEquals("slow", text(peer.await(RawHttp2.DATA)));
      }
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** Task executors and listener containers finish their work in it. */
  @Test
  void sigterm_nothingInFlight_closingTheContextHasWhatDrainLeaves() throws Exception {
    try (Service service = Service.start("--lastcall.grace-period=60s")) {
      service.port();
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      String line = service.awaitLine("CLOSE_CONNECTIONS for up to");
      long millis = Long.parseLong(line.replaceAll(".* up to (\\d+) ms.*", "$1"));
      assertTrue(millis > 5_000, line); // what is kept for it
    }
  }

  private static String text(RawHttp2.Frame frame) {
    return StandardCharsets.UTF_8.decode(frame.payload()).toString();
  }

  @Test
  void http2_requestBehindTheFirstGoaway_isAnswered() throws Exception {
    try (Service service =
            Service.start("--server.http2.enabled=true", "--lastcall.propagation-delay=1s");
        RawHttp2 peer = new RawHttp2(service.port())) {
      // DRAIN waits for it, however long this side takes.
      CompletableFuture<HttpResponse<String>> held = service.get(service.port(), "/hold");
      service.awaitLine("hold began");
      service.terminate();
      assertEquals("GOAWAY " + Integer.MAX_VALUE, peer.await(RawHttp2.GOAWAY).toString());
      RawHttp2.Frame ping = peer.await(RawHttp2.PING);
      peer.get(1, "/fast");
      assertEquals("fast", text(peer.await(RawHttp2.DATA)));
      peer.ack(ping);
      assertEquals(200, status(service, service.port(), "/release"));
      assertEquals("held", held.get(30, TimeUnit.SECONDS).body());
      peer.await(RawHttp2.GOAWAY);
      assertTrue(peer.ended());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  @Test
  void readinessHold_actuatorsReadiness_turnsWithOursAndIsNoTraffic() throws Exception {
    readinessTurns("");
  }

  @Test
  void readinessHold_actuatorBelowAServletsPath_isNoTrafficEither() throws Exception {
    readinessTurns("/api");
  }

  /** With everything of Spring's below {@code servlet}. */
  private static void readinessTurns(String servlet) throws Exception {
    String readiness = servlet + "/actuator/health/readiness";
    try (Service service =
        Service.start(
            "--spring.mvc.servlet.path=" + (servlet.isEmpty() ? "/" : servlet),
            "--lastcall.propagation-delay=0s",
            "--lastcall.readiness-hold=1s",
            "--management.endpoint.health.probes.enabled=true",
            "--management.endpoint.health.probes.add-additional-paths=true",
            "--management.endpoint.health.group.outside.include=ping",
            "--management.endpoint.health.group.outside.additional-path=server:/healthz")) {
      int port = service.port();
      assertEquals(200, status(service, port, readiness));
      assertEquals(200, status(service, port, "/readyz"));
      // DRAIN waits for it, however long this side takes.
      CompletableFuture<HttpResponse<String>> held = service.get(port, servlet + "/hold");
      service.awaitLine("hold began");
      service.terminate();
      service.awaitLine("FAIL_READINESS for up to");
      Awaitility.await().until(() -> status(service, port, readiness), code -> code == 503);
      assertEquals(503, status(service, port, "/readyz"));
      assertEquals(200, status(service, port, "/livez"));
      assertEquals(200, status(service, port, servlet + "/healthz"));
      assertEquals(200, status(service, port, servlet + "/release"));
      assertEquals("held", held.get(30, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      String summary = service.awaitLine("Shutdown clean");
      assertTrue(summary.contains("requests served 2, late 1,"), summary); // no probe
    }
  }

  @Test
  void readinessPolicyNever_contextCloses_staysReady() throws Exception {
    try (Service service =
        Service.start(
            "--lastcall.propagation-delay=0s",
            "--lastcall.readiness-policy=NEVER",
            "--test.looks-at-readiness=true")) {
      service.port();
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("ready while the context closes: true");
    }
  }

  private static int status(Service service, int port, String path) throws Exception {
    return service.get(port, path).get(30, TimeUnit.SECONDS).statusCode();
  }

  @Test
  @EnabledIfSystemProperty(named = "expected.spring-boot.version", matches = "3\\..*")
  void nothingToDrain_isSaid() throws Exception {
    String connector = "io.lastcall.spring.boot3.LastcallTomcat10AutoConfiguration";
    try (Service service = Service.start("--spring.autoconfigure.exclude=" + connector)) {
      service.awaitLine("No connector can be drained here");
    }
    try (Service service = Service.start()) {
      service.port();
      assertEquals(-1, service.index("No connector can be drained here"), service::output);
    }
  }

  @Test
  void nothingToDrain_inATestWithoutAServer_isNotSaid() {
    assertEquals(List.of(), warnings(new MockServletContext()));
    ServletContext ofAServer =
        new MockServletContext() {
          @Override
          public String getServerInfo() {
            return "Apache Tomcat/11.0.0";
          }
        };
    assertEquals(1, warnings(ofAServer).size());
  }

  /** As MockMvc has it, or a servlet container that a WAR file is deployed to. */
  private static List<String> warnings(ServletContext servlets) {
    Logger logger = (Logger) LoggerFactory.getLogger(ServletServers.class);
    ListAppender<ILoggingEvent> said = new ListAppender<>();
    said.start();
    logger.addAppender(said);
    try (AnnotationConfigWebApplicationContext context =
        new AnnotationConfigWebApplicationContext()) {
      context.setServletContext(servlets);
      context.register(TestApplication.class);
      context.refresh();
    } finally {
      logger.detachAppender(said);
    }
    return said.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void property_ofTheApplication_isInThePlanWithItsFile() throws Exception {
    try (Service service = Service.start("--lastcall.grace-period=45s")) {
      service.port();
      String row = service.awaitLine("grace-period");
      assertTrue(row.contains("45s") && row.contains("lastcall.grace-period"), row);
    }
  }

  @Test
  void property_noValueOrNoName_isRefused() throws Exception {
    try (Service service = Service.start("--lastcall.drain-timeout=soon")) {
      assertEquals(1, service.awaitExit());
      service.awaitLine("lastcall.drain-timeout=soon: ");
    }
    try (Service service = Service.start("--lastcall.drain-timout=5s")) {
      assertEquals(1, service.awaitExit());
      service.awaitLine(
          "there is no setting drain-timout; the nearest known name is drain-timeout");
    }
  }

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
  void settings_thatAreRefused_areAFailureThatSpringBootExplains() throws Exception {
    try (Service service =
        Service.start("--lastcall.grace-period=10s", "--lastcall.propagation-delay=20s")) {
      assertEquals(1, service.awaitExit(), service::output);
      int failed = service.index("APPLICATION FAILED TO START");
      int sum = service.index("propagation-delay");
      int action = service.index("Correct the settings named above");
      assertTrue(0 <= failed && failed < sum && sum < action, service::output);
      assertEquals(-1, service.index("\tat "), service::output);
    }
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
  void lazyBean_failsAtFirst_onlyTheOneThatIsMadeTakesPart() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      assertEquals(500, status(service, service.port(), "/lazy"));
      assertEquals(200, status(service, service.port(), "/lazy"));
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("lazy bean 2 stopped");
      assertEquals(-1, service.index("lazy bean 1 stopped"), service::output);
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

  @Test
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

  /** DRAIN has waited for the request, all its time: what follows has the rest. */
  @Test
  void sigterm_requestHangs_contextIsClosedAllTheSame() throws Exception {
    try (Service service =
        Service.start(
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.drain-timeout=1s",
            "--lastcall.close-timeout=20s")) {
      int port = service.port();
      var unused = service.get(port, "/hold");
      service.awaitLine("hold began");
      service.terminate();
      service.awaitLine("bean destroyed");
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(-1, service.index("'close the Spring context' timed out"), service::output);
    }
  }

  @Test
  void lameDuck_actuatorsReadiness_turnsWithIt() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
      shutdown.lameDuck(true);
      awaitState(context, ReadinessState.REFUSING_TRAFFIC);
      AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
      assertEquals(ReadinessState.REFUSING_TRAFFIC, state(context));
      shutdown.lameDuck(false);
      awaitState(context, ReadinessState.ACCEPTING_TRAFFIC);
      awaitReadiness(shutdown, true);
    }
  }

  @Test
  void lameDuck_applicationRefusesMeanwhile_itsWordHolds() throws Exception {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      GracefulShutdown shutdown = context.getBean(GracefulShutdown.class);
      shutdown.lameDuck(true);
      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      shutdown.lameDuck(false);
      awaitReadiness(shutdown, false);
      assertEquals(ReadinessState.REFUSING_TRAFFIC, state(context));
    }
  }

  private static void awaitState(ConfigurableApplicationContext context, ReadinessState wanted) {
    Awaitility.await().until(() -> state(context), wanted::equals);
  }

  /** As Actuator shows it. */
  private static ReadinessState state(ConfigurableApplicationContext context) {
    return context.getBean(ApplicationAvailability.class).getReadinessState();
  }

  /** A check's result is good for a second. */
  private static void awaitReadiness(GracefulShutdown shutdown, boolean wanted) {
    Awaitility.await()
        .until(
            () -> shutdown.probes().readiness().toCompletableFuture().get(30, TimeUnit.SECONDS),
            ready -> ready == wanted);
  }

  @Test
  void webSocketSessions_onEitherServer_areThere() {
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, QUIET)) {
      assertEquals(1, context.getBeanNamesForType(WebSocketSessions.class).length);
    }
  }

  @Test
  void disabled_nothingIsInstalled() {
    String[] off = {"--server.port=0", "--lastcall.enabled=false", "--logging.level.root=warn"};
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, off)) {
      assertEquals(0, context.getBeanNamesForType(GracefulShutdown.class).length);
    }
  }
}
