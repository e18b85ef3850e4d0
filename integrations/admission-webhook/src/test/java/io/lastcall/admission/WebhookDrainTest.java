package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastcall.testing.ForkedExample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The webhook in a JVM of its own is drained by the library, as the services that it guards. */
@Timeout(120)
class WebhookDrainTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @Test
  void sigterm_aReviewWaitsForItsPod_isAnsweredAndTheExitIsClean(@TempDir Path folder)
      throws Exception {
    try (FakeCluster cluster = new FakeCluster(folder);
        ForkedExample process =
            new ForkedExample(AdmissionWebhook.class, "0s", cluster.environment())) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answer = new CountDownLatch(1);
      cluster.answers(
          exchange -> {
            asked.countDown();
            Awaitility.await().atMost(PATIENCE).until(() -> answer.getCount() == 0);
            FakeCluster.reply(exchange, 200, "{\"state\":\"prepared\"}");
          });
      RunningWebhook webhook = new RunningWebhook(cluster.client(), process.port(), () -> {});
      CompletableFuture<JsonNode> response =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return webhook.review(FakeCluster.review("evict"));
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
              });
      Awaitility.await().atMost(PATIENCE).until(() -> response.isDone() || asked.getCount() == 0);
      process.sigterm();
      answer.countDown();
      assertEquals("true", response.join().path("allowed").asText());
      process.assertEndsClean();
    }
  }
}
