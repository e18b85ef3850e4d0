package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastcall.GracefulShutdown;
import io.lastcall.kubernetes.Preparation;
import io.lastcall.kubernetes.PreparationAnswer;
import io.lastcall.testing.FreePort;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The webhook and a real application, which serves its preparation on its probes' port. */
@Timeout(120)
class PreparedPodTest {

  /** A leader that has handed over when the test says so. */
  private static final class Leader implements Preparation {
    volatile boolean handedOver;
    volatile boolean asked;

    @Override
    public PreparationAnswer prepare() {
      asked = true;
      return handedOver
          ? PreparationAnswer.prepared()
          : PreparationAnswer.preparing(Duration.ofSeconds(4), "looking for a successor");
    }

    @Override
    public void cancel() {
      handedOver = false;
    }
  }

  @Test
  void delete_ofALeader_waitsUntilItHasHandedOver(@TempDir Path folder) throws Exception {
    int probes = FreePort.next();
    GracefulShutdown application =
        GracefulShutdown.builder()
            .configuration("probe-port", Integer.toString(probes), "test")
            .configuration("pre-stop-token", FakeCluster.TOKEN, "test")
            .install();
    try (FakeCluster cluster = new FakeCluster(folder);
        RunningWebhook webhook = RunningWebhook.start(cluster, true)) {
      cluster.port(probes);
      Leader leader = new Leader();
      Preparation.register(application, "leader", leader);
      JsonNode denied = webhook.review(FakeCluster.review("delete"));
      String said = denied.at("/status/message").asText();
      assertTrue(
          said.startsWith("shop/store-0: preparing: leader: looking for a successor; "), said);
      assertTrue(leader.asked);
      leader.handedOver = true;
      Awaitility.await().until(() -> !cluster.annotation(Pod.PREPARED).isEmpty());
      assertTrue(webhook.review(FakeCluster.review("delete")).path("allowed").asBoolean());
    } finally {
      application.uninstall();
    }
  }
}
