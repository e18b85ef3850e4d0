package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Somebody else's exit: Spring Boot's hook, which closes the context, runs beside ours. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class OthersExitTest {
  @Test
  void systemExit_requestsInFlightAndNewOnes_areAnsweredBeforeSpringBootStopsTheServer()
      throws Exception {
    try (Service service =
        Service.start("--lastcall.grace-period=120s", "--lastcall.exit-drain-timeout=60s")) {
      assertDrainsBeforeSpringBoot(service, "");
    }
  }

  @Test
  void systemExit_theApplicationsOwnHookClosesTheContext_requestsAreAnsweredBefore()
      throws Exception {
    try (Service service =
        Service.start(
            "--test.own-hook=true",
            "--lastcall.grace-period=120s",
            "--lastcall.exit-drain-timeout=60s")) {
      assertDrainsBeforeSpringBoot(service, "");
    }
  }

  /** An exit of somebody else's takes nothing from a shutdown that has begun. */
  @Test
  void systemExit_behindSigterm_keepsServing() throws Exception {
    try (Service service =
        Service.start("--lastcall.grace-period=60s", "--lastcall.propagation-delay=2s")) {
      assertDrainsBeforeSpringBoot(service, "KEEP_SERVING for up to");
    }
  }

  /** The request never ends: DRAIN has its timeout, and Spring Boot hardly waits again. */
  @Test
  void systemExit_withinRequest_keepsItsCode() throws Exception {
    try (Service service = Service.start("--lastcall.grace-period=20s")) {
      CompletableFuture<HttpResponse<String>> never = service.get(service.port(), "/exit");
      assertEquals(7, service.awaitExit(), service::output);
      assertThrows(ExecutionException.class, never::get);
    }
  }

  private static void assertDrainsBeforeSpringBoot(Service service, String sigtermFirst)
      throws Exception {
    int port = service.port();
    CompletableFuture<HttpResponse<String>> held = service.get(port, "/hold");
    service.awaitLine("hold began");
    if (!sigtermFirst.isEmpty()) {
      service.terminate();
      service.awaitLine(sigtermFirst);
    }
    service.get(port, "/exit-elsewhere").get(60, TimeUnit.SECONDS);
    service.awaitLine("DRAIN for up to");
    assertEquals(200, service.get(port, "/release").get(60, TimeUnit.SECONDS).statusCode());
    assertEquals("held", held.get(60, TimeUnit.SECONDS).body());
    assertEquals(7, service.awaitExit(), service::output);
    int closing = service.index("CLOSE_CONNECTIONS for up to");
    int springBoot = service.index("Commencing graceful shutdown");
    int destroyed = service.index("bean destroyed");
    assertTrue(0 <= closing && closing < springBoot, service::output);
    assertTrue(springBoot < destroyed, service::output);
  }
}
