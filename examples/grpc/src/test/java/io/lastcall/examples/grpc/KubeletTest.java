package io.lastcall.examples.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A whole termination as a kubelet with grpc probes sees it. */
@Timeout(180)
class KubeletTest {
  private static final Duration DELAY = Duration.ofSeconds(2);

  @Test
  void termination_bySigterm_failsReadinessBehindTheDelayAndLivenessOnlyWithTheProcess()
      throws Exception {
    try (ServerProcess server =
        ServerProcess.start(
            Map.of(
                "LASTCALL_GRACE_PERIOD", "60s",
                "LASTCALL_PROPAGATION_DELAY", DELAY.toSeconds() + "s",
                "LASTCALL_READINESS_HOLD", "5s"))) {
      try (Kubelet readiness = new Kubelet(server.port(), "", 3);
          Kubelet echo = new Kubelet(server.port(), "lastcall.Echo", 3);
          Kubelet liveness = new Kubelet(server.port(), "liveness", 1);
          Kubelet unknown = new Kubelet(server.port(), "no.such.Service", 1)) {
        Awaitility.await()
            .until(() -> readiness.told(true) && echo.told(true) && liveness.told(true));

        long signalled = System.nanoTime();
        server.terminate();
        Awaitility.await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> readiness.told(true, false) && echo.told(true, false));

        Duration red = Duration.ofNanos(readiness.verdicts().get(1).atNanos() - signalled);
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
