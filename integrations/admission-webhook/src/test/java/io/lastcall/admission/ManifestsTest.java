package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The manifests say what the code needs, and no more. */
class ManifestsTest {

  private static List<JsonNode> read(String name) throws Exception {
    List<JsonNode> documents = new ArrayList<>();
    String text = Files.readString(Path.of("manifests", name));
    for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
      documents.add(Review.JSON.valueToTree(document));
    }
    return documents;
  }

  private static JsonNode ofKind(List<JsonNode> documents, String kind) {
    return documents.stream()
        .filter(document -> document.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void registration_bothVerbs_failClosedForGuardedPodsAlone() throws Exception {
    JsonNode webhooks = read("registration.yaml").get(0).path("webhooks");
    assertEquals(
        List.of("DELETE pods", "CREATE pods/eviction"),
        StreamSupport.stream(webhooks.spliterator(), false)
            .map(
                webhook ->
                    webhook.at("/rules/0/operations/0").asText()
                        + " "
                        + webhook.at("/rules/0/resources/0").asText())
            .toList());
    assertEquals("true", webhooks.at("/0/objectSelector/matchLabels").path(Pod.GUARD).asText());
    assertEquals("true", webhooks.at("/1/namespaceSelector/matchLabels").path(Pod.GUARD).asText());
    for (JsonNode webhook : webhooks) {
      assertEquals("Fail", webhook.path("failurePolicy").asText());
      assertEquals("NoneOnDryRun", webhook.path("sideEffects").asText());
      assertEquals("/review", webhook.at("/clientConfig/service/path").asText());
      // Up to three answers are waited for, 2 s each.
      assertTrue(webhook.path("timeoutSeconds").asInt() >= 8);
    }
  }

  /**
   * It differs by its conditions alone, which let pass those whom the webhook lets pass unasked.
   */
  @Test
  void registrationFor128_hasConditionsForThoseThatAreLetThrough() throws Exception {
    JsonNode older = read("registration.yaml").get(0);
    JsonNode newer = read("registration-1.28.yaml").get(0);
    ObjectNode delete = (ObjectNode) newer.at("/webhooks/0");
    Map<String, String> conditions =
        StreamSupport.stream(delete.remove("matchConditions").spliterator(), false)
            .collect(
                Collectors.toMap(
                    condition -> condition.path("name").asText(),
                    condition -> condition.path("expression").asText()));
    assertEquals(older, newer);
    String finishers = conditions.remove("not-by-a-finisher");
    assertEquals(
        Guard.FINISHERS.keySet(),
        Pattern.compile("'([^']*)'")
            .matcher(finishers)
            .results()
            .map(name -> name.group(1))
            .collect(Collectors.toSet()));
    assertTrue(finishers.startsWith("!(request.userInfo.username in ["), finishers);
    assertEquals(
        Map.of(
            "not-by-a-node", "!('system:nodes' in request.userInfo.groups)",
            "not-terminating", "!has(oldObject.metadata.deletionTimestamp)",
            "not-bypassed", "!('" + Pod.BYPASS + "' in oldObject.metadata.labels)"),
        conditions);
  }

  @Test
  void webhook_twoReplicas_mayDoWhatTheyDo() throws Exception {
    List<JsonNode> documents = read("webhook.yaml");
    JsonNode deployment = ofKind(documents, "Deployment");
    assertEquals(2, deployment.at("/spec/replicas").asInt());
    assertEquals(
        8443, deployment.at("/spec/template/spec/containers/0/ports/0/containerPort").asInt());
    assertEquals(8443, ofKind(documents, "Service").at("/spec/ports/0/targetPort").asInt());
    assertEquals(1, ofKind(documents, "PodDisruptionBudget").at("/spec/minAvailable").asInt());
    assertEquals(
        "[{\"apiGroups\":[\"\"],\"resources\":[\"pods\"],\"verbs\":[\"get\",\"patch\"]},"
            + "{\"apiGroups\":[\"\"],\"resources\":[\"namespaces\"],\"verbs\":[\"get\"]},"
            + "{\"apiGroups\":[\"\"],\"resources\":[\"events\"],\"verbs\":[\"create\"]},"
            + "{\"apiGroups\":[\"apps\"],\"resources\":[\"replicasets\"],\"verbs\":[\"get\"]}]",
        ofKind(documents, "ClusterRole").path("rules").toString());
  }

  @Test
  void guarded_labelsAndAnnotations_areThoseThatTheCodeReads() throws Exception {
    List<JsonNode> documents = read("guarded.yaml");
    assertEquals(
        "true", ofKind(documents, "Namespace").at("/metadata/labels").path(Pod.GUARD).asText());
    Pod pod = Pod.read(ofKind(documents, "StatefulSet").at("/spec/template"));
    assertTrue(pod.isGuarded());
    assertEquals(30, pod.admitAfter(Optional.empty()).orElseThrow().toMinutes());
    assertTrue(pod.annotations().containsKey(Pod.PORT));
  }
}
