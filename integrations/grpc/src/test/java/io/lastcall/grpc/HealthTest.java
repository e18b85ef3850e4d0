package io.lastcall.grpc;

import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.NOT_SERVING;
import static io.grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The health service as a kubelet asks it, by Check on a new connection, and as clients watch it.
 */
@Tag("forked")
@Timeout(240)
class HealthTest {
  private static final Duration DELAY = Duration.ofSeconds(2);

  @Test
  void sigterm_byDefault_isNotServingBehindThePropagationDelayAndAnswersOn() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(
                Map.of("LASTCALL_GRACE_PERIOD", "60s", "LASTCALL_PROPAGATION_DELAY", "2s"));
        Clients clients = new Clients(server.port())) {
      CallOutcome<HealthCheckResponse> watch = Clients.watch(clients.fresh());
      watch.awaitMessages(1);
      assertEquals(SERVING, Clients.check(clients.fresh(), ""));
      assertEquals(SERVING, Clients.check(clients.fresh(), "lastcall.Echo"));
      ManagedChannel application = clients.idle();
      CallOutcome<String> holdsTheDrain = Clients.start(application, Echo.HELD, "held");
      // Behind both calls on their connection: one has ended there by now, one has begun.
      assertEquals(SERVING, Clients.check(application, ""));

      long signalled = System.nanoTime();
      server.terminate();
      server.awaitLine("Shutdown begun by");
      assertEquals("served", Clients.echo(clients.fresh(), "served"));
      assertEquals(SERVING, Clients.check(clients.fresh(), "liveness"));
      // The kubelet's way, until it hears the other answer; none may come too early.
      Awaitility.await().until(() -> Clients.check(clients.fresh(), "") == NOT_SERVING);
      Duration failedAfter = Duration.ofNanos(System.nanoTime() - signalled);
      assertTrue(failedAfter.compareTo(DELAY) >= 0, failedAfter::toString);

      assertFalse(holdsTheDrain.isOver());
      assertEquals(NOT_SERVING, Clients.check(clients.fresh(), "lastcall.Echo"));
      assertEquals(SERVING, Clients.check(clients.fresh(), "liveness"));
      watch.awaitMessages(2);
      assertEquals(List.of(SERVING, NOT_SERVING), statuses(watch));
      Clients.start(clients.fresh(), Echo.RELEASE, "").awaitStatus();
      assertEquals(Status.Code.OK, holdsTheDrain.awaitStatus().getCode());
      assertEquals(Status.Code.UNAVAILABLE, watch.awaitStatus().getCode());
      assertEquals(0, server.exitCode(), server::log);
      // The held call, there before the signal; the Echo and the release after it; none of Health.
      assertTrue(server.hasLogged("requests served 3, "), server::log);
    }
  }

  @Test
  void sigterm_policyImmediate_isNotServingAtOnceWhileCallsAreServed() throws Exception {
    try (ServerProcess server =
            ServerProcess.start(
                Map.of(
                    "LASTCALL_GRACE_PERIOD", "120s",
                    "LASTCALL_PROPAGATION_DELAY", "60s",
                    "LASTCALL_READINESS_POLICY", "IMMEDIATE"));
        Clients clients = new Clients(server.port())) {
      CallOutcome<HealthCheckResponse> watch = Clients.watch(clients.fresh());
      watch.awaitMessages(1);

      server.terminate();

      watch.awaitMessages(2);
      assertEquals(List.of(SERVING, NOT_SERVING), statuses(watch));
      assertEquals(NOT_SERVING, Clients.check(clients.fresh(), ""));
      assertEquals("served", Clients.echo(clients.fresh(), "served"));
      assertFalse(server.hasLogged("Readiness fails now"), server::log);
    }
  }

  private static List<HealthCheckResponse.ServingStatus> statuses(
      CallOutcome<HealthCheckResponse> watch) {
    return watch.messages().stream().map(HealthCheckResponse::getStatus).toList();
  }
}
