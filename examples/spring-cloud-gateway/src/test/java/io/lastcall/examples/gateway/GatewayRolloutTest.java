package io.lastcall.examples.gateway;

import static io.lastcall.rollout.LoadRequest.eventStream;
import static io.lastcall.rollout.LoadRequest.get;
import static io.lastcall.rollout.LoadRequest.webSocket;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.RollingUpdate;
import io.lastcall.rollout.RolloutResult;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The gateway, rolled under load with the library and without; the services behind it stay. */
@Timeout(300)
class GatewayRolloutTest {
  private static final Duration GRACE = ofSeconds(20);

  private final Services services = new Services();

  @AfterEach
  void stopServices() {
    services.close();
  }

  @Test
  void rollout_withLastcall_losesNothing_andServicesSeeEachWebSocketEnd() {
    RolloutResult result = rollout("with").ready("/readyz").gracePeriod(GRACE).run();

    result.assertNothingLost().assertGoneWithin(GRACE).assertExitCode(0);
    assertTrue(services.opened() > 0);
    await().atMost(ofMinutes(1)).until(() -> services.closed() == services.opened());
  }

  /**
   * Spring Boot's own graceful shutdown: it stops listening, and each stream holds it to SIGKILL.
   */
  @Tag("all")
  @Test
  void rollout_withoutIt_losesRequestsAndCutsStreams() {
    RolloutResult result =
        rollout("without")
            .ready("/orders/1")
            .environment("LASTCALL_ENABLED", "false")
            .gracePeriod(ofSeconds(8))
            .run();

    assertTrue(result.lost() > 0, result::summary);
    assertTrue(result.killed(), result::summary);
    assertTrue(services.closed() < services.opened(), "the services saw each WebSocket end");
  }

  private RollingUpdate rollout(String name) {
    return RollingUpdate.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Gateway.class.getName(),
            "--server.port={port}",
            "--orders.uri=http://127.0.0.1:" + services.port(),
            "--prices.uri=ws://127.0.0.1:" + services.port())
        .name("gateway-" + name)
        .replicas(1)
        .environment("LASTCALL_GRACE_PERIOD", GRACE.toSeconds() + "s")
        .environment("LASTCALL_PROPAGATION_DELAY", "4s")
        .startTimeout(ofMinutes(3))
        .lastRouterLeaves(ofSeconds(3))
        .load(get("/orders/1").rate(20))
        .load(get("/orders/slow").rate(10))
        .load(get("/orders/export").rate(5))
        .load(eventStream("/orders/events").open(5))
        .load(webSocket("/prices").open(5));
  }
}
