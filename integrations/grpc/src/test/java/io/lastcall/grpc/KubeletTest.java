package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.NettyChannelBuilder;
import io.lastcall.testing.Kubelet;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole termination as a kubelet with grpc probes sees it. */
@Tag("forked")
@Timeout(180)
class KubeletTest {
  private static final Duration DELAY = Duration.ofSeconds(2);
  private static final Duration PERIOD = Duration.ofMillis(200);

  /** A {@code grpc} probe: SERVING passes, anything else fails. */
  private static Kubelet.Mechanism check(int port, String service) {
    return () -> {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
      try {
        return HealthGrpc.newBlockingStub(channel)
                .withDeadlineAfter(Kubelet.TIMEOUT)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus()
            == ServingStatus.SERVING;
      } catch (StatusRuntimeException e) {
        return false;
      } finally {
        channel.shutdownNow();
      }
    };
  }

  @Test
  void termination_bySigterm_failsReadinessBehindTheDelayAndLivenessOnlyWithTheProcess()
      throws Exception {
    try (ServerProcess server =
        ServerProcess.start(
            Map.of(
                "LASTCALL_GRACE_PERIOD", "60s",
                "LASTCALL_PROPAGATION_DELAY", DELAY.toSeconds() + "s",
                "LASTCALL_READINESS_HOLD", "10s"))) {
      try (Kubelet readiness = new Kubelet(check(server.port(), ""), PERIOD, 3);
          Kubelet echo = new Kubelet(check(server.port(), "lastcall.Echo"), PERIOD, 3);
          Kubelet liveness = new Kubelet(check(server.port(), "liveness"), PERIOD, 3);
          Kubelet unknown = new Kubelet(check(server.port(), "no.such.Service"), PERIOD, 1)) {
        Awaitility.await()
            .until(() -> readiness.told(true) && echo.told(true) && liveness.told(true));

        long signalled = System.nanoTime();
        server.terminate();
        Awaitility.await().until(() -> readiness.told(true, false) && echo.told(true, false));

        Duration red = readiness.failedAfter(signalled);
        assertTrue(red.compareTo(DELAY) >= 0, red::toString);
        assertTrue(server.isAlive(), "gone before the kubelet has seen it unready");
        assertTrue(liveness.told(true), "restarted while it ended");
        assertEquals(0, server.exitCode(), server::log);
        Awaitility.await().until(() -> liveness.told(true, false));
        assertTrue(unknown.told(), "NOT_FOUND is no pass");
      }
      // Probes are no traffic, however many came.
      assertTrue(server.hasLogged("requests served 0, late 0, refused 0"), server::log);
    }
  }
}
