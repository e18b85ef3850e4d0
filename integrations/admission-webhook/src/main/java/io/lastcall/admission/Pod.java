package io.lastcall.admission;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A Pod, as far as the decision needs it.
 *
 * @param deleted whether it terminates already
 * @param phase Pending, Running, Succeeded, Failed
 * @param node empty until it is scheduled
 * @param ip empty until it has one
 * @param owner the controller that has made it; empty if none has
 */
record Pod(
    String namespace,
    String name,
    String uid,
    Map<String, String> labels,
    Map<String, String> annotations,
    boolean deleted,
    String phase,
    String node,
    String ip,
    Optional<ObjectRef> owner) {
  /** Only a Pod with this label is guarded; its value must be {@code true}. */
  static final String GUARD = "lastcall.io/guard";

  /** A Pod with this label is let go at once, by a person who knows better. */
  static final String BYPASS = "lastcall.io/bypass";

  /** The probes' port, where it is not the webhook's default. */
  static final String PORT = "lastcall.io/prepare-port";

  /** Overrides the webhook's policy. */
  static final String ADMIT_AFTER = "lastcall.io/admit-after";

  /** When the Pod has turned prepared: a change that lets its owner try again at once. */
  static final String PREPARED = "lastcall.io/prepared";

  /** When the Pod was first refused: all replicas of the webhook count from there. */
  static final String REFUSED_SINCE = "lastcall.io/refused-since";

  static Pod read(JsonNode pod) {
    JsonNode metadata = pod.path("metadata");
    return new Pod(
        metadata.path("namespace").asText(),
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        texts(metadata.path("labels")),
        texts(metadata.path("annotations")),
        metadata.hasNonNull("deletionTimestamp"),
        pod.path("status").path("phase").asText(),
        pod.path("spec").path("nodeName").asText(),
        pod.path("status").path("podIP").asText(),
        ObjectRef.ownerOf(metadata));
  }

  private static Map<String, String> texts(JsonNode object) {
    return object.properties().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, text -> text.getValue().asText()));
  }

  /** Returns why the Pod may go unasked, as the metric names it; empty if it may not. */
  Optional<String> free() {
    String reason = "";
    if (!isGuarded()) {
      reason = "unguarded";
    } else if (deleted) {
      reason = "terminating";
    } else if (hasEnded()) {
      reason = "ended";
    } else if (node.isEmpty()) {
      reason = "unscheduled";
    } else if (labels.containsKey(BYPASS)) {
      reason = "bypass";
    }
    return reason.isEmpty() ? Optional.empty() : Optional.of(reason);
  }

  boolean isGuarded() {
    return "true".equals(labels.get(GUARD));
  }

  private boolean hasEnded() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /** Returns when the Pod was first refused; empty if it was not, or the annotation is no time. */
  Optional<Instant> refusedSince() {
    try {
      return Optional.ofNullable(annotations.get(REFUSED_SINCE)).map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns where the application is asked; empty if it has no address.
   *
   * @throws IllegalArgumentException if the annotation is no port
   */
  Optional<URI> preparation(int usualPort) {
    int port =
        Settings.port(
            "annotation " + PORT, annotations.getOrDefault(PORT, Integer.toString(usualPort)));
    String host = ip.contains(":") ? "[" + ip + "]" : ip;
    return ip.isEmpty()
        ? Optional.empty()
        : Optional.of(URI.create("http://" + host + ":" + port + "/prepare"));
  }

  /**
   * Returns after how long the Pod is let go unprepared; empty for never.
   *
   * @throws IllegalArgumentException if the annotation is no such time
   */
  Optional<Duration> admitAfter(Optional<Duration> usual) {
    String text = annotations.get(ADMIT_AFTER);
    return text == null ? usual : Settings.admitAfter("annotation " + ADMIT_AFTER, text);
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
