package io.lastcall.admission;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.StreamSupport;

/**
 * What the API server asks about: the DELETE of a Pod, or its eviction, which never passes a
 * webhook for DELETE.
 *
 * @param uid repeated in the answer
 * @param name the Pod's
 * @param pod the Pod as it is sent with a DELETE; an eviction comes without it
 */
record Review(
    String uid,
    Verb verb,
    String namespace,
    String name,
    boolean dryRun,
    String user,
    List<String> groups,
    Optional<Pod> pod) {
  static final String VERSION = "admission.k8s.io/v1";

  static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** What is about to happen to the Pod. */
  enum Verb {
    DELETE,
    EVICT
  }

  /** It is no review, and there is no one to answer to: 400. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedException(String message) {
      super(message);
    }
  }

  /** It is a review that this webhook is not for, or not a whole one: a refusal. */
  static final class UnfitException extends Exception {
    private static final long serialVersionUID = 1;

    final String uid;

    UnfitException(String uid, String message) {
      super(message);
      this.uid = uid;
    }
  }

  static Review read(byte[] body) throws MalformedException, UnfitException {
    JsonNode review = parse(body);
    String version = review.path("apiVersion").asText();
    if (!version.equals(VERSION) || !review.path("kind").asText().equals("AdmissionReview")) {
      throw new MalformedException(
          "%s %s: allowed is AdmissionReview of %s"
              .formatted(version, review.path("kind").asText(), VERSION));
    }
    JsonNode request = review.path("request");
    String uid = request.path("uid").asText();
    if (uid.isEmpty()) {
      throw new MalformedException("request.uid is missing");
    }
    Verb verb = verb(uid, request);
    JsonNode sent = request.path(verb == Verb.DELETE ? "oldObject" : "object").path("metadata");
    JsonNode user = request.path("userInfo");
    return new Review(
        uid,
        verb,
        either(uid, "namespace", request, sent),
        // A deletecollection has no name of its own.
        either(uid, "name", request, sent),
        request.path("dryRun").asBoolean(),
        user.path("username").asText(),
        StreamSupport.stream(user.path("groups").spliterator(), false)
            .map(JsonNode::asText)
            .toList(),
        verb == Verb.DELETE && request.path("oldObject").isObject()
            ? Optional.of(Pod.read(request.path("oldObject")))
            : Optional.empty());
  }

  private static JsonNode parse(byte[] body) throws MalformedException {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw new MalformedException("no JSON: " + e.getMessage());
    }
  }

  private static Verb verb(String uid, JsonNode request) throws UnfitException {
    JsonNode resource = request.path("resource");
    String asked =
        "%s %s/%s/%s"
            .formatted(
                request.path("operation").asText(),
                resource.path("group").asText(),
                resource.path("resource").asText(),
                request.path("subResource").asText());
    JsonNode kind = request.path("kind");
    String version = kind.path("group").asText() + "/" + kind.path("version").asText();
    if (asked.equals("DELETE /pods/")) {
      return Verb.DELETE;
    }
    if (asked.equals("CREATE /pods/eviction") && version.matches("policy/v1(beta1)?")) {
      return Verb.EVICT;
    }
    throw new UnfitException(
        uid,
        "%s of %s: this webhook is for DELETE of pods, and CREATE of pods/eviction of policy/v1"
            .formatted(asked, version));
  }

  private static String either(String uid, String field, JsonNode request, JsonNode sent)
      throws UnfitException {
    String value = request.path(field).asText();
    String found = value.isEmpty() ? sent.path(field).asText() : value;
    // It becomes a part of a path.
    if (!found.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")) {
      throw new UnfitException(uid, "request." + field + "=" + found + ": no Pod has this");
    }
    return found;
  }
}
