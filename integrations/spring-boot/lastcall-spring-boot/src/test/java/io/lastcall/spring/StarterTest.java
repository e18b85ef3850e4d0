package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.service.TestApplication;
import io.lastcall.testing.RawHttp2;
import io.lastcall.testing.TestKeys;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringBootVersion;

/**
 * A service in a JVM of its own, on the server that is on the class path: the build runs it on
 * Tomcat and on Jetty.
 */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class StarterTest {
  /** The server has no part in it: the build runs it on Tomcat alone. */
  private static final String ANY_SERVER = "any-server";

  /** What an older Spring Boot is tried with on each server. */
  private static final String EACH_SERVER = "each-server";

  /** Of the starter for Spring Boot 3.5. */
  private static final String BOOT_3 =
      "io.lastcall.spring.boot3.LastcallTomcat10AutoConfiguration,"
          + "io.lastcall.spring.boot3.LastcallJetty120AutoConfiguration";

  private static final String NOTHING_TO_DRAIN = "No connector can be drained here";

  @Test
  @Tag(EACH_SERVER)
  void springBoot_isTheOneOfThisRun() {
    assertEquals(
        System.getProperty("expected.spring-boot.version"), SpringBootVersion.getVersion());
  }

  @Test
  @Tag(EACH_SERVER)
  void sigterm_requestInFlight_isAnsweredAndPhasesRunBeforeTheContextCloses() throws Exception {
    try (Service service =
        Service.startWithoutFlags(TestApplication.class, "--lastcall.propagation-delay=0s")) {
      int port = service.port();
      CompletableFuture<HttpResponse<String>> slow = service.get(port, "/slow");
      service.awaitLine("slow began");
      service.terminate();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
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
      assertEquals(-1, service.index(NOTHING_TO_DRAIN), service::output);
    }
  }

  @Test
  @Tag(EACH_SERVER)
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

  @Test
  @Tag(EACH_SERVER)
  void tls_requestInFlight_isAnswered(@TempDir Path folder) throws Exception {
    Path keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    try (Service service =
        Service.start(
            "--server.http2.enabled=true",
            "--server.ssl.key-store=" + keys,
            "--server.ssl.key-store-password=" + TestKeys.SECRET,
            "--lastcall.propagation-delay=0s")) {
      SSLContext trusting = TestKeys.trust(keys);
      service.speakTls(trusting);
      int port = service.port();
      HttpClient http2 = HttpClient.newBuilder().sslContext(trusting).build();
      URI fast = URI.create("https://127.0.0.1:" + port + "/fast");
      HttpResponse<String> answer =
          http2.send(HttpRequest.newBuilder(fast).build(), BodyHandlers.ofString());
      assertEquals(HttpClient.Version.HTTP_2, answer.version());
      assertEquals("fast", answer.body());
      CompletableFuture<HttpResponse<String>> slow = service.get(port, "/slow");
      service.awaitLine("slow began");
      service.terminate();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** Task executors and listener containers finish their work in it. */
  @Test
  @Tag(ANY_SERVER)
  void sigterm_nothingInFlight_closingTheContextHasWhatDrainLeaves() throws Exception {
    try (Service service = Service.start("--lastcall.grace-period=45s")) {
      service.port();
      // A property of the application's is in the plan, with its name.
      String row = service.awaitLine("grace-period");
      assertTrue(row.contains("45s") && row.contains("lastcall.grace-period"), row);
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

  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
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
      assertEquals("held", held.get(60, TimeUnit.SECONDS).body());
      peer.await(RawHttp2.GOAWAY);
      assertTrue(peer.ended());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  @Test
  @Tag(ANY_SERVER)
  void readinessHold_actuatorsReadiness_turnsWithOursAndIsNoTraffic() throws Exception {
    String readiness = "/api/actuator/health/readiness";
    try (Service service =
        Service.start(
            "--spring.mvc.servlet.path=/api",
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
      CompletableFuture<HttpResponse<String>> held = service.get(port, "/api/hold");
      service.awaitLine("hold began");
      service.terminate();
      service.awaitLine("FAIL_READINESS for up to");
      Awaitility.await().until(() -> status(service, port, readiness), code -> code == 503);
      assertEquals(503, status(service, port, "/readyz"));
      assertEquals(200, status(service, port, "/livez"));
      assertEquals(200, status(service, port, "/api/healthz"));
      assertEquals(200, status(service, port, "/api/release"));
      assertEquals("held", held.get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("requests served 2,"); // no probe
    }
  }

  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
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
    return service.get(port, path).get(60, TimeUnit.SECONDS).statusCode();
  }

  @Test
  @EnabledIfSystemProperty(named = "expected.spring-boot.version", matches = "3\\..*")
  void nothingToDrain_isSaid() throws Exception {
    try (Service service = Service.start("--spring.autoconfigure.exclude=" + BOOT_3)) {
      service.awaitLine(NOTHING_TO_DRAIN);
    }
  }

  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
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

  /** Nobody asks for a bean of ours; those of the application are made at their first use. */
  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
  void lazyInitialization_requestInFlight_isAnsweredAllTheSame() throws Exception {
    try (Service service =
        Service.start(
            "--spring.main.lazy-initialization=true", "--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> slow = service.get(service.port(), "/slow");
      service.awaitLine("slow began");
      service.terminate();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      assertEquals(-1, service.index(NOTHING_TO_DRAIN), service::output);
    }
  }

  /** Also where no servlet has the path: Spring's own has another then. */
  @Test
  @Tag(ANY_SERVER)
  void readyz_applicationsSecurityLetsNobodyIn_isAnsweredBeforeIt() throws Exception {
    try (Service service =
        Service.start("--test.security=true", "--spring.mvc.servlet.path=/api")) {
      int port = service.port();
      assertEquals(200, service.get(port, "/livez").get(60, TimeUnit.SECONDS).statusCode());
      assertEquals(401, service.get(port, "/api/fast").get(60, TimeUnit.SECONDS).statusCode());
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

  /** To a kubelet it is no traffic; to Spring Boot it is a request. */
  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
  void sigterm_healthHangs_beansAreDestroyedInTime() throws Exception {
    try (Service service =
        Service.start(
            "--test.health-hangs=true",
            "--management.endpoint.health.probes.enabled=true",
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.close-timeout=20s")) {
      var unused = service.get(service.port(), "/actuator/health");
      service.awaitLine("health hangs");
      assertBeansAreDestroyedInTime(service);
    }
  }

  /** Spring Boot's own wait for it ends after a second. */
  @Test
  void sigterm_requestOnActuatorsOwnPortIsInFlight_isAwaited() throws Exception {
    try (Service service =
        Service.start(
            "--management.server.port=0",
            "--management.endpoints.web.exposure.include=slow",
            "--lastcall.propagation-delay=0s")) {
      service.port();
      CompletableFuture<HttpResponse<String>> slow =
          service.get(service.managementPort(), "/actuator/slow");
      service.awaitLine("endpoint began");
      service.terminate();
      service.awaitLine("DRAIN waits for 1 of work 'management'");
      service.goOn();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body(), service::output);
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** Actuator's own server is closed within the service's context, before its beans. */
  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
  void sigterm_healthHangsOnAPortOfItsOwn_beansAreDestroyedInTime() throws Exception {
    try (Service service =
        Service.start(
            "--test.health-hangs=true",
            "--management.server.port=0",
            "--management.endpoint.health.probes.enabled=true",
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.close-timeout=8s")) {
      service.port();
      var unused = service.get(service.managementPort(), "/actuator/health");
      service.awaitLine("health hangs");
      assertBeansAreDestroyedInTime(service);
    }
  }

  /** Of an event stream DRAIN waits for nothing, and Spring Boot for the end. */
  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
  void sigterm_streamBlocks_beansAreDestroyedInTime() throws Exception {
    try (Service service =
        Service.start(
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.close-timeout=20s")) {
      var unused = service.get(service.port(), "/blocked");
      service.awaitLine("stream blocks");
      assertBeansAreDestroyedInTime(service);
    }
  }

  /** As in WebFlux: nobody but Spring Boot waits for requests. */
  @Tag("all")
  @Test
  @Tag(ANY_SERVER)
  void sigterm_noFilterOfOurs_springBootWaitsAsLongAsItIsTold() throws Exception {
    try (Service service =
        Service.start(
            "--spring.autoconfigure.exclude=io.lastcall.spring.LastcallServletAutoConfiguration,"
                + BOOT_3,
            "--spring.lifecycle.timeout-per-shutdown-phase=3s",
            "--management.endpoint.health.probes.enabled=true",
            "--management.endpoint.health.probes.add-additional-paths=true",
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.close-timeout=20s")) {
      var unused = service.get(service.port(), "/hold");
      service.awaitLine("hold began");
      service.terminate();
      // What was in flight is cut as the server stops, and nothing of ours has counted it.
      assertEquals(80, service.awaitExit(), service::output);
      service.awaitLine("still running after timeout of 3000ms: [webServerGracefulShutdown]");
    }
  }

  private static void assertBeansAreDestroyedInTime(Service service) throws Exception {
    service.terminate();
    assertEquals(0, service.awaitExit(), service::output);
    int destroyed = service.index("bean destroyed");
    assertTrue(0 <= destroyed && destroyed < service.index("EXIT for up to"), service::output);
    assertEquals(-1, service.index("while interrupted"), service::output);
    assertEquals(-1, service.index("'close the Spring context' timed out"), service::output);
  }
}
