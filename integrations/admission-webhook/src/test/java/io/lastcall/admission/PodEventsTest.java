package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is told that a Pod cannot hand over. */
@Timeout(120)
class PodEventsTest {
  private static final Instant START = Instant.parse("2026-11-28T10:00:00Z");

  @TempDir private Path folder = Path.of("unset");
  private volatile Instant now = START;
  private @Nullable FakeCluster started;
  private @Nullable RunningWebhook running;

  @BeforeEach
  void start() throws Exception {
    FakeCluster fake = new FakeCluster(folder);
    started = fake;
    running = RunningWebhook.start(fake, false, () -> now);
    cluster().annotate(Pod.ADMIT_AFTER, "10m");
  }

  @AfterEach
  void stop() {
    webhook().close();
    cluster().close();
  }

  private FakeCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private RunningWebhook webhook() {
    return Objects.requireNonNull(running);
  }

  private boolean delete(long secondsLater) throws Exception {
    now = START.plusSeconds(secondsLater);
    return webhook().review(FakeCluster.review("delete")).path("allowed").asBoolean();
  }

  private List<String> events() {
    return cluster().events.values().stream()
        .map(
            event ->
                event.path("reason").asText() + " " + event.at("/involvedObject/kind").asText())
        .sorted()
        .toList();
  }

  private void awaitEvents(String... expected) {
    Awaitility.await().until(() -> events().equals(List.of(expected)));
  }

  @Test
  void refused_oneEventOnThePodAndOneOnItsOwner_howeverOftenSomebodyTries() throws Exception {
    cluster().answers(409, "{\"state\":\"refused\",\"forSeconds\":3,\"reason\":\"no successor\"}");
    assertFalse(delete(0));
    awaitEvents("LastcallCannotHandOver Pod", "LastcallCannotHandOver StatefulSet");
    assertFalse(delete(5));
    assertFalse(delete(65));
    cluster().answers(500, "");
    assertFalse(delete(70)); // another reason
    Awaitility.await().until(() -> events().size() == 4);
    JsonNode event =
        cluster().events.values().stream()
            .filter(each -> each.at("/involvedObject/kind").asText().equals("Pod"))
            .filter(each -> each.path("message").asText().contains("no successor"))
            .findAny()
            .orElseThrow();
    assertEquals(
        "shop/store-0: refused: no successor; refused since 2026-11-28T10:00:00Z, let go from"
            + " 2026-11-28T10:10:00Z on, prepared or not",
        event.path("message").asText());
    assertEquals("Warning", event.path("type").asText());
    assertEquals("2026-11-28T10:00:00Z", event.path("firstTimestamp").asText());
    assertEquals(cluster().pod().at("/metadata/uid"), event.at("/involvedObject/uid"));
  }

  @Test
  void letGoUnprepared_isAnEvent() throws Exception {
    assertFalse(delete(0));
    assertTrue(delete(600));
    awaitEvents("LastcallLetGoUnprepared Pod", "LastcallLetGoUnprepared StatefulSet");
  }

  /** It hands over: that is no news. */
  @Test
  void preparing_thenPrepared_isNoEvent() throws Exception {
    assertFalse(delete(0));
    cluster().prepared();
    assertTrue(delete(5));
    assertEquals(List.of(), events());
  }

  @Test
  void podOfADeployment_theEventIsOnTheDeployment() throws Exception {
    cluster()
        .pod(
            pod ->
                pod.withObject("/metadata")
                    .putArray("ownerReferences")
                    .addObject()
                    .put("apiVersion", "apps/v1")
                    .put("kind", "ReplicaSet")
                    .put("name", "store-7d4b")
                    .put("uid", "rs1")
                    .put("controller", true));
    cluster().answers(500, "");
    assertFalse(delete(0));
    awaitEvents("LastcallCannotHandOver Deployment", "LastcallCannotHandOver Pod");
  }

  @Test
  void eventsAreNotAllowed_theAnswerIsTheSame() throws Exception {
    cluster().eventsAnswer(403);
    cluster().answers(500, "");
    assertFalse(delete(0));
    assertTrue(delete(600));
    assertEquals(List.of(), events());
  }
}
