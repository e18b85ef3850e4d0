package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastcall.testing.ManualTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class FollowerTest {
  @TempDir private Path folder = Path.of("unset");
  private final ManualTicker ticker = new ManualTicker();
  private @Nullable FakeCluster started;
  private @Nullable PodClient asking;
  private @Nullable Follower following;

  @BeforeEach
  void start() throws Exception {
    FakeCluster fake = new FakeCluster(folder);
    started = fake;
    PodClient pods = new PodClient(fake.settings());
    asking = pods;
    following = new Follower(pods, new ApiClient(fake.settings()), Runnable::run, ticker);
  }

  @AfterEach
  void stop() {
    cluster().close();
  }

  private FakeCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private Follower follower() {
    return Objects.requireNonNull(following);
  }

  private void review() {
    Pod pod = Pod.read(cluster().pod());
    follower().noteReview(pod, Objects.requireNonNull(asking).ask(pod));
  }

  private void pass(Duration time) {
    ticker.advance(time);
    follower().askAll();
  }

  @Test
  void pod_turnsPrepared_isAnnotatedOnce() {
    review();
    pass(Duration.ofSeconds(1));
    assertEquals(List.of(), cluster().patches);
    cluster().prepared();
    pass(Duration.ofSeconds(1));
    String patch = cluster().patches.get(0);
    assertTrue(
        patch.matches(
            "/api/v1/namespaces/shop/pods/store-0 \\{\"metadata\":\\{\"uid\":\""
                + cluster().pod().at("/metadata/uid").asText()
                + "\","
                + "\"annotations\":\\{\"lastcall.io/prepared\":\"2[^\"]*Z\","
                + "\"lastcall.io/refused-since\":null}}}"),
        patch);
    pass(Duration.ofSeconds(1));
    assertEquals(1, cluster().patches.size());
    assertEquals(3, cluster().questions.size());
  }

  @Test
  void pod_thatIsPreparedAndPreparesAgain_isFollowedAgain() {
    cluster().prepared();
    review();
    pass(Duration.ofSeconds(1));
    assertEquals(1, cluster().questions.size());
    cluster().preparing(1, "again");
    review();
    pass(Duration.ofSeconds(1));
    assertEquals(3, cluster().questions.size());
  }

  @Test
  void annotation_fails_isTriedAgain() {
    review();
    cluster().prepared();
    cluster().patchAnswers(500);
    pass(Duration.ofSeconds(1));
    cluster().patchAnswers(200);
    pass(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertEquals(2, cluster().patches.size());
  }

  @Test
  void pod_noFurtherTry_isFollowedForAMinute() {
    review();
    pass(Duration.ofSeconds(60));
    assertEquals(2, cluster().questions.size());
    pass(Duration.ofSeconds(1));
    assertEquals(2, cluster().questions.size());
  }

  @Test
  void pod_triesFurtherAndFurtherApart_isFollowedForTwiceTheirTime() {
    review();
    pass(Duration.ofSeconds(50));
    review();
    pass(Duration.ofSeconds(100));
    assertEquals(4, cluster().questions.size());
    pass(Duration.ofSeconds(1));
    assertEquals(4, cluster().questions.size());
  }

  /** Its address may be another Pod's by now, which would be told to hand over. */
  @ParameterizedTest
  @MethodSource("gone")
  void pod_hasGone_itsAddressIsNotAskedAnyMore(Consumer<ObjectNode> change) {
    review();
    pass(Duration.ofSeconds(1));
    assertEquals(2, cluster().questions.size());
    cluster().pod(change);
    pass(Duration.ofSeconds(1));
    pass(Duration.ofSeconds(1));
    assertEquals(2, cluster().questions.size());
    assertEquals(List.of(), cluster().patches);
  }

  static Stream<Consumer<ObjectNode>> gone() {
    return Stream.of(
        pod -> metadata(pod).put("uid", "the next one"),
        pod -> metadata(pod).put("deletionTimestamp", "2026-11-28T07:00:00Z"),
        pod -> ((ObjectNode) pod.path("status")).put("phase", "Failed"),
        pod -> ((ObjectNode) metadata(pod).path("labels")).put(Pod.BYPASS, ""));
  }

  private static ObjectNode metadata(ObjectNode pod) {
    return (ObjectNode) pod.path("metadata");
  }

  @Test
  void pod_isNotThereAnyMore_itsAddressIsNotAsked() {
    review();
    cluster().apiAnswers(404);
    pass(Duration.ofSeconds(1));
    cluster().apiAnswers(200);
    pass(Duration.ofSeconds(1));
    assertEquals(1, cluster().questions.size());
  }

  @Test
  void pod_cannotBeRead_isAskedOnceItCan() {
    review();
    cluster().apiAnswers(500);
    pass(Duration.ofSeconds(1));
    assertEquals(1, cluster().questions.size());
    cluster().apiAnswers(200);
    pass(Duration.ofSeconds(1));
    assertEquals(2, cluster().questions.size());
  }
}
