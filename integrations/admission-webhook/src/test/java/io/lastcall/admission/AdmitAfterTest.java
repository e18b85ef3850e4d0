package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long a Pod that does not become prepared is refused; the Pod itself remembers since when. */
@Timeout(120)
class AdmitAfterTest {
  private static final Instant START = Instant.parse("2026-11-28T10:00:00Z");

  @TempDir private Path folder = Path.of("unset");
  private volatile Instant now = START;
  private @Nullable FakeCluster started;
  private @Nullable RunningWebhook running;

  @BeforeEach
  void start() throws Exception {
    FakeCluster fake = new FakeCluster(folder);
    started = fake;
    running = startWebhook(fake);
    cluster().annotate(Pod.ADMIT_AFTER, "10m");
  }

  @AfterEach
  void stop() {
    webhook().close();
    cluster().close();
  }

  private RunningWebhook startWebhook(FakeCluster fake) throws Exception {
    InstantSource clock = () -> now;
    return RunningWebhook.start(fake, false, clock);
  }

  private FakeCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private RunningWebhook webhook() {
    return Objects.requireNonNull(running);
  }

  private JsonNode delete(RunningWebhook asked, long secondsLater) throws Exception {
    now = START.plusSeconds(secondsLater);
    return asked.review(FakeCluster.review("delete"));
  }

  private void assertRefused(RunningWebhook asked, long secondsLater) throws Exception {
    JsonNode response = delete(asked, secondsLater);
    assertFalse(response.path("allowed").asBoolean(), response::toString);
  }

  /** A person, a drain each 5 s, a controller that waits longer and longer. */
  @ParameterizedTest
  @CsvSource({"5", "65", "120", "599", "1200", "3600"})
  void refused_triesAreHoweverFarApart_isLetGoAfterTheTime(int apart) throws Exception {
    cluster().answers(500, "");
    long later = 0;
    for (; later < 600; later += apart) {
      assertRefused(webhook(), later);
    }
    JsonNode response = delete(webhook(), later);
    assertTrue(response.path("allowed").asBoolean(), response::toString);
    assertTrue(
        response
            .at("/warnings/0")
            .asText()
            .startsWith("shop/store-0 was waited for " + later + " s and is not prepared: "),
        response::toString);
    assertEquals(1, cluster().patches.size());
    assertEquals(1, webhook().count("delete", "allowed", "admit_after"));
  }

  @Test
  void refused_byOneReplicaAndBeforeARestart_countsFromTheFirst() throws Exception {
    try (RunningWebhook other = startWebhook(cluster())) {
      assertRefused(webhook(), 0);
      assertRefused(other, 300);
    }
    webhook().close();
    running = startWebhook(cluster());
    assertRefused(webhook(), 599);
    assertTrue(delete(webhook(), 600).path("allowed").asBoolean());
  }

  @Test
  void refused_saysSinceWhenAndUntilWhen() throws Exception {
    delete(webhook(), 0);
    assertEquals(
        "shop/store-0: preparing: 12 of 40 shards moved; refused since 2026-11-28T10:00:00Z, let go"
            + " from 2026-11-28T10:10:00Z on, prepared or not",
        delete(webhook(), 65).at("/status/message").asText());
    assertEquals("2026-11-28T10:00:00Z", cluster().annotation(Pod.REFUSED_SINCE));
    cluster().annotate(Pod.ADMIT_AFTER, "never");
    assertTrue(
        delete(webhook(), 700)
            .at("/status/message")
            .asText()
            .endsWith("refused since 2026-11-28T10:00:00Z, let go only once it is prepared"));
  }

  /** A drain that was given up must not have the next one let the Pod go at its first try. */
  @Test
  void refused_thenPrepared_thenAgain_countsAnew() throws Exception {
    assertRefused(webhook(), 0);
    cluster().prepared();
    assertTrue(delete(webhook(), 5).path("allowed").asBoolean());
    assertEquals("", cluster().annotation(Pod.REFUSED_SINCE));
    cluster().preparing(8, "again");
    assertRefused(webhook(), 900);
    assertEquals("2026-11-28T10:15:00Z", cluster().annotation(Pod.REFUSED_SINCE));
  }

  @ParameterizedTest
  @CsvSource({
    "4199, 2026-11-28T10:00:00Z, true",
    "4200, 2026-11-28T10:00:00Z, false",
    "0, 2026-11-28T10:00:01Z, false",
    "0, yesterday, false"
  })
  void refusedLongAgoOrAtNoTime_countsAnew(long later, String since, boolean allowed)
      throws Exception {
    cluster().annotate(Pod.REFUSED_SINCE, since);
    assertEquals(allowed, delete(webhook(), later).path("allowed").asBoolean());
    assertEquals(
        allowed ? since : START.plus(Duration.ofSeconds(later)).toString(),
        cluster().annotation(Pod.REFUSED_SINCE));
  }

  @Test
  void refused_podCannotBeAnnotated_isRefusedAllTheSame() throws Exception {
    cluster().patchAnswers(403);
    assertRefused(webhook(), 0);
    assertRefused(webhook(), 700);
    cluster().patchAnswers(200);
    assertRefused(webhook(), 701);
    assertTrue(delete(webhook(), 1301).path("allowed").asBoolean());
  }
}
