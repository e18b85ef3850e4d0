package io.lastcall.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpHandler;
import io.lastcall.testing.FreePort;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the webhook answers, over TLS, with an application on a socket of its own. */
@Timeout(120)
class ReviewTest {
  @TempDir private Path folder = Path.of("unset");
  private final CountDownLatch end = new CountDownLatch(1);
  private @Nullable FakeCluster started;
  private @Nullable RunningWebhook running;

  @BeforeEach
  void start() throws Exception {
    FakeCluster fake = new FakeCluster(folder);
    started = fake;
    running = RunningWebhook.start(fake, false);
  }

  @AfterEach
  void stop() {
    end.countDown();
    webhook().close();
    cluster().close();
  }

  private FakeCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private RunningWebhook webhook() {
    return Objects.requireNonNull(running);
  }

  /** A DELETE of the cluster's Pod, changed. */
  private ObjectNode delete(Consumer<ObjectNode> change) {
    ObjectNode review = FakeCluster.review("delete");
    request(review).set("oldObject", cluster().pod().deepCopy());
    change.accept(request(review));
    return review;
  }

  private static ObjectNode evict(Consumer<ObjectNode> change) {
    ObjectNode review = FakeCluster.review("evict");
    change.accept(request(review));
    return review;
  }

  private static ObjectNode request(ObjectNode review) {
    return (ObjectNode) review.path("request");
  }

  private static ObjectNode object(JsonNode parent, String pointer) {
    return (ObjectNode) parent.at(pointer);
  }

  private JsonNode assertDenied(ObjectNode review, int code, String message) throws Exception {
    JsonNode response = webhook().review(review);
    assertFalse(response.path("allowed").asBoolean(), response::toString);
    assertEquals("Failure", response.at("/status/status").asText());
    assertEquals(code, response.at("/status/code").asInt());
    assertTrue(
        response.at("/status/message").asText().contains(message),
        () -> response.at("/status/message").asText());
    return response.path("status");
  }

  private JsonNode assertAllowed(ObjectNode review) throws Exception {
    JsonNode response = webhook().review(review);
    assertTrue(response.path("allowed").asBoolean(), response::toString);
    assertFalse(response.has("status"));
    return response;
  }

  static Map<String, Consumer<ObjectNode>> pods() {
    return Map.of(
        "unguarded", pod -> object(pod, "/metadata/labels").remove(Pod.GUARD),
        "terminating",
            pod -> object(pod, "/metadata").put("deletionTimestamp", "2026-11-28T07:00Z"),
        "ended", pod -> object(pod, "/status").put("phase", "Failed"),
        "unscheduled", pod -> object(pod, "/spec").remove("nodeName"),
        "bypass", pod -> object(pod, "/metadata/labels").put(Pod.BYPASS, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"unguarded", "terminating", "ended", "unscheduled", "bypass"})
  void review_podThatNeedsNoPreparation_isAllowedAndNotAsked(String reason) throws Exception {
    cluster().pod(Objects.requireNonNull(pods().get(reason)));
    assertAllowed(delete(request -> {}));
    assertAllowed(evict(request -> {}));
    assertEquals(List.of(), cluster().questions);
    assertEquals(1, webhook().count("delete", "allowed", reason));
    assertEquals(1, webhook().count("evict", "allowed", reason));
  }

  /** A rollout, a person, a drain, a dry run, and those that only finish what was decided. */
  @ParameterizedTest
  @CsvSource({
    "delete, delete, denied, preparing",
    "person, delete, denied, preparing",
    "evict, evict, denied, preparing",
    "dry-run, delete, allowed, dry_run",
    "kubelet, delete, allowed, kubelet",
    "collector, delete, allowed, collector",
    "namespace, delete, allowed, namespace"
  })
  void review_asRecorded_isDecidedByWhoAsks(String name, String verb, String answer, String reason)
      throws Exception {
    JsonNode response = webhook().review(FakeCluster.review(name));
    assertEquals(answer.equals("allowed"), response.path("allowed").asBoolean());
    assertEquals(1, webhook().count(verb, answer, reason));
    assertEquals(reason.equals("preparing") ? 1 : 0, cluster().questions.size());
  }

  @ParameterizedTest
  @CsvSource({
    "system:node:node-1, system:nodes, kubelet",
    "system:serviceaccount:kube-system:namespace-controller, system:serviceaccounts, namespace",
    "system:serviceaccount:kube-system:generic-garbage-collector, system:serviceaccounts, collector",
    "system:serviceaccount:kube-system:pod-garbage-collector, system:serviceaccounts, collector"
  })
  void review_byOneThatFinishes_isAllowedAndNotAsked(String user, String group, String reason)
      throws Exception {
    assertAllowed(
        delete(
            request -> {
              ObjectNode info = object(request, "/userInfo").put("username", user);
              info.putArray("groups").add(group).add("system:authenticated");
            }));
    assertEquals(List.of(), cluster().questions);
    assertEquals(1, webhook().count("delete", "allowed", reason));
  }

  @Test
  void review_byTheControllerManager_isAllowedOnlyWhereTheNamespaceEnds() throws Exception {
    ObjectNode review =
        delete(
            request ->
                object(request, "/userInfo").put("username", "system:kube-controller-manager"));
    assertDenied(review, 429, "preparing");
    cluster().namespaceEnds();
    assertAllowed(review);
  }

  @Test
  void delete_preparing_is429WithoutRetryAfter() throws Exception {
    JsonNode status =
        assertDenied(delete(request -> {}), 429, "shop/store-0: preparing: 12 of 40 shards moved");
    assertEquals("TooManyRequests", status.path("reason").asText());
    assertFalse(status.has("details"), "a controller's worker would sit in that wait");
    assertEquals("POST /prepare " + FakeCluster.TOKEN, cluster().questions.get(0));
    assertEquals(1, webhook().count("delete", "denied", "preparing"));
  }

  @ParameterizedTest
  @CsvSource({"v1beta1, 8, 8", "v1, 0, 1", "v1, 3600, 20"})
  void evict_preparing_is429WithTheEta(String version, int eta, int seconds) throws Exception {
    cluster().preparing(eta, "moving");
    ObjectNode review = evict(request -> object(request, "/kind").put("version", version));
    JsonNode status = assertDenied(review, 429, "preparing: moving");
    assertEquals(seconds, status.at("/details/retryAfterSeconds").asInt());
  }

  @Test
  void review_prepared_isAllowed() throws Exception {
    cluster().prepared();
    assertAllowed(delete(request -> {}));
    assertAllowed(evict(request -> {}));
    assertEquals(1, webhook().count("evict", "allowed", "prepared"));
  }

  @Test
  void review_ofADeletecollection_namesThePodByItsObject() throws Exception {
    assertDenied(delete(request -> request.put("name", "")), 429, "shop/store-0");
  }

  @Test
  void review_addressInTheReview_isNotAsked() throws Exception {
    // The recorded Pod has another address: the API server's counts.
    assertDenied(FakeCluster.review("delete"), 429, "12 of 40");
    assertEquals(1, cluster().questions.size());
  }

  @Test
  void review_dryRun_changesNothing() throws Exception {
    JsonNode response = assertAllowed(evict(request -> request.put("dryRun", true)));
    assertEquals(
        "first shop/store-0 would be asked to prepare", response.at("/warnings/0").asText());
    assertAllowed(delete(request -> request.put("dryRun", true)));
    assertEquals(List.of(), cluster().questions);
    assertEquals(List.of(), cluster().patches);
  }

  static Stream<Object[]> answers() {
    return Stream.of(
        new Object[] {409, "{\"state\":\"refused\",\"reason\":\"no quorum\"}", "refused"},
        new Object[] {401, "", "unauthorized"},
        new Object[] {403, "wrong token", "unauthorized"},
        new Object[] {404, "not found", "garbage"},
        new Object[] {200, "<html>ok</html>", "garbage"},
        new Object[] {200, "", "garbage"},
        new Object[] {200, "\"prepared\"", "garbage"},
        new Object[] {200, "{\"state\":\"prepar", "garbage"},
        new Object[] {200, "{\"state\":\"preparing\"}", "garbage"},
        new Object[] {202, "{\"state\":\"prepared\"}", "garbage"},
        new Object[] {302, "{\"state\":\"prepared\"}", "garbage"},
        new Object[] {503, "{\"state\":\"prepared\"}", "garbage"},
        new Object[] {
          200, "{\"state\":\"prepared\"," + " ".repeat(20_000) + "\"a\":1}", "unreachable"
        });
  }

  @ParameterizedTest
  @MethodSource("answers")
  void review_anyOtherAnswer_is429AndCounted(int status, String body, String reason)
      throws Exception {
    cluster().answers(status, body);
    assertDenied(delete(request -> {}), 429, "shop/store-0: ");
    assertEquals(1, webhook().count("delete", "denied", reason));
  }

  @Test
  void review_refused_hasTheApplicationsReason() throws Exception {
    cluster().answers(409, "{\"state\":\"refused\",\"reason\":\"no quorum\"}");
    JsonNode status = assertDenied(evict(request -> {}), 429, "refused: no quorum");
    assertFalse(status.has("details"));
  }

  static Stream<HttpHandler> lateAnswers() {
    return Stream.of(
        exchange -> await(exchange.getHttpContext().getAttributes()),
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("{\"state\":".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          await(exchange.getHttpContext().getAttributes());
        });
  }

  private static void await(Map<String, Object> attributes) {
    try {
      if (attributes.get("end") instanceof CountDownLatch end) {
        end.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @MethodSource("lateAnswers")
  void review_answerThatIsLate_is429AndCounted(HttpHandler late) throws Exception {
    webhook().close();
    cluster().patience("1s");
    running = RunningWebhook.start(cluster(), false);
    // The first exchange, with its handshakes, takes longer than the ones that follow.
    assertDenied(delete(request -> {}), 429, "12 of 40");
    cluster()
        .answers(
            exchange -> {
              exchange.getHttpContext().getAttributes().put("end", end);
              late.handle(exchange);
            });
    assertDenied(delete(request -> {}), 429, "the application: no answer within 1000 ms");
    assertEquals(1, webhook().count("delete", "denied", "late"));
  }

  @Test
  void review_nobodyListens_is429AndCounted() throws Exception {
    cluster().port(FreePort.next());
    assertDenied(delete(request -> {}), 429, "the application cannot be asked");
    assertEquals(1, webhook().count("delete", "denied", "unreachable"));
  }

  @ParameterizedTest
  @CsvSource({
    "lastcall.io/prepare-port, http, allowed is a port",
    "lastcall.io/admit-after, 5 minutes, allowed is a duration"
  })
  void review_badAnnotation_is429ThatNamesIt(String name, String value, String allowed)
      throws Exception {
    cluster().annotate(name, value);
    String said = assertDenied(delete(request -> {}), 429, name + "=" + value).toString();
    assertTrue(said.contains(allowed), said);
  }

  @Test
  void review_theApiServerFails_is429() throws Exception {
    cluster().apiAnswers(500);
    assertDenied(evict(request -> {}), 429, "the Pod cannot be read: java.io.IOException: GET");
    cluster().apiAnswers(403);
    assertDenied(delete(request -> {}), 429, ": 403");
    assertEquals(List.of(), cluster().questions);
  }

  @Test
  void review_thereIsNoSuchPod_isAllowed() throws Exception {
    assertAllowed(evict(request -> request.put("name", "store-9")));
    assertEquals(1, webhook().count("evict", "allowed", "no_pod"));
  }

  @Test
  void review_withoutANamespaceOrForAnotherKind_isRefused() throws Exception {
    assertDenied(
        evict(
            request -> {
              request.remove("namespace");
              object(request, "/object/metadata").remove("namespace");
            }),
        400,
        "request.namespace=: no Pod has this");
    assertDenied(evict(request -> request.put("name", "../store-0")), 400, "request.name");
    assertDenied(delete(request -> request.put("operation", "UPDATE")), 400, "UPDATE /pods/");
    assertDenied(
        delete(request -> object(request, "/resource").put("resource", "services")),
        400,
        "DELETE /services/");
    assertDenied(
        evict(request -> object(request, "/kind").put("version", "v2")), 400, "of policy/v2");
    assertEquals(5, webhook().count("other", "denied", "unfit"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "no json",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\",\"request\":{\"uid\":\"1\"}}",
        "{\"kind\":\"ConversionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"1\"}}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\"}",
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":{\"uid\":\"1\"}} {}"
      })
  void review_thatIsNone_is400(String body) throws Exception {
    assertEquals(400, webhook().send("POST", "/review", body).statusCode());
    assertEquals(1, webhook().count("other", "denied", "unfit"));
  }

  @Test
  void review_hugeOrDeep_isRefusedAndTheServerGoesOn() throws Exception {
    String huge = "{\"a\":\"" + "x".repeat(5 * 1024 * 1024) + "\"}";
    assertEquals(413, webhook().send("POST", "/review", huge).statusCode());
    assertEquals(400, webhook().send("POST", "/review", "[".repeat(1_000_000)).statusCode());
    assertEquals(405, webhook().send("GET", "/review", "").statusCode());
    assertEquals(404, webhook().send("POST", "/", "{}").statusCode());
    assertDenied(delete(request -> {}), 429, "preparing");
  }

  /** Whatever an eviction's review has lost or got wrong, the Pod is not let go. */
  @Test
  void review_changedAnywhere_neverLetsThePodGo() throws Exception {
    Random random = new Random(53);
    Set<String> harmless = Set.of("dry_run", "no_pod", "kubelet");
    for (int i = 0; i < 300; i++) {
      ObjectNode review = evict(request -> {});
      mutate(review, random);
      HttpResponse<String> response = webhook().send("POST", "/review", review.toString());
      if (response.statusCode() != 400) {
        assertEquals(200, response.statusCode());
        JsonNode answer = Review.JSON.readTree(response.body()).path("response");
        assertTrue(answer.path("allowed").isBoolean());
      }
    }
    String allowed =
        webhook()
            .send("GET", "/metrics", "")
            .body()
            .lines()
            .filter(line -> line.contains("answer=\"allowed\"") && !line.endsWith("} 0"))
            .filter(line -> harmless.stream().noneMatch(line::contains))
            .findAny()
            .orElse("");
    assertEquals("", allowed);
  }

  private static void mutate(ObjectNode review, Random random) {
    List<ObjectNode> objects = new ArrayList<>();
    collect(review, objects);
    ObjectNode parent = objects.get(random.nextInt(objects.size()));
    List<String> names = new ArrayList<>();
    parent.fieldNames().forEachRemaining(names::add);
    if (names.isEmpty()) {
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(5)) {
      case 0 -> parent.remove(name);
      case 1 -> parent.putNull(name);
      case 2 -> parent.put(name, "x");
      case 3 -> parent.put(name, 1);
      default -> parent.putArray(name).addObject();
    }
  }

  private static void collect(JsonNode node, List<ObjectNode> objects) {
    if (node instanceof ObjectNode object) {
      objects.add(object);
    }
    node.forEach(child -> collect(child, objects));
  }
}
