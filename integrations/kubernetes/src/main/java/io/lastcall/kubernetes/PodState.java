package io.lastcall.kubernetes;

import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the API server says about the Pod. Its times are whole seconds, by its own clock.
 *
 * @param uid tells the Pod from a later one of the same name
 * @param owner the controller that has made it; empty if none has
 * @param now the API server's time
 * @param deletion when the Pod is killed; empty if it is not being deleted
 * @param gracePeriod the grace period of the deletion; zero if there is none
 * @param signalledFirst whether the kubelet's first act is the stop signal: no container has a
 *     {@code preStop} hook, and none is a sidecar, which gets its signal after the others
 */
record PodState(
    String uid,
    Optional<ObjectRef> owner,
    Instant now,
    Optional<Instant> deletion,
    Duration gracePeriod,
    boolean signalledFirst) {

  /**
   * Reads the answer to a GET of the Pod.
   *
   * @param name the Pod's
   * @throws IOException if it is no such answer, saying what it is
   */
  static PodState read(String body, String name, Instant now) throws IOException {
    Object answer;
    try {
      answer = Json.read(body);
    } catch (IllegalArgumentException e) {
      throw new IOException("half an answer, or no JSON: " + e.getMessage(), e);
    }
    Object kind = member(answer, "kind");
    Object metadata = member(answer, "metadata");
    if (!"Pod".equals(kind)) {
      throw new IOException("the answer is no Pod; its kind is " + kind);
    }
    if (!name.equals(member(metadata, "name"))) {
      throw new IOException("the answer is another Pod's: " + member(metadata, "name"));
    }
    Optional<Instant> deletion = time(member(metadata, "deletionTimestamp"));
    Object grace = member(metadata, "deletionGracePeriodSeconds");
    if (deletion.isPresent() && !(grace instanceof Double)) {
      throw new IOException("deletionGracePeriodSeconds is no number: " + grace);
    }
    return new PodState(
        String.valueOf(member(metadata, "uid")),
        ObjectRef.ownerOf(metadata),
        now,
        deletion,
        Duration.ofSeconds(grace instanceof Double seconds ? seconds.longValue() : 0),
        isSignalledFirst(member(answer, "spec")));
  }

  /**
   * Returns whether the body of a 404 is the API server's word that there is no such Pod. A proxy's
   * 404 is none, nor is one of an API server that starts and has not got all of its paths yet.
   */
  static boolean isNotFound(String body, String name) {
    Object answer;
    try {
      answer = Json.read(body);
    } catch (IllegalArgumentException e) {
      return false;
    }
    Object details = member(answer, "details");
    return "Status".equals(member(answer, "kind"))
        && "NotFound".equals(member(answer, "reason"))
        && "pods".equals(member(details, "kind"))
        && name.equals(member(details, "name"));
  }

  /** False where the answer does not have the containers. */
  private static boolean isSignalledFirst(@Nullable Object spec) {
    return member(spec, "containers") instanceof List<?> containers
        && containers.stream().noneMatch(PodState::hasPreStop)
        && (!(member(spec, "initContainers") instanceof List<?> first)
            || first.stream()
                .noneMatch(container -> "Always".equals(member(container, "restartPolicy"))));
  }

  private static boolean hasPreStop(@Nullable Object container) {
    return member(member(container, "lifecycle"), "preStop") != null;
  }

  static @Nullable Object member(@Nullable Object object, String key) {
    return object instanceof Map<?, ?> map ? map.get(key) : null;
  }

  private static Optional<Instant> time(@Nullable Object text) throws IOException {
    try {
      return text == null ? Optional.empty() : Optional.of(Instant.parse(text.toString()));
    } catch (DateTimeException e) {
      throw new IOException("deletionTimestamp is no time: " + text, e);
    }
  }

  /** Returns how long ago the deletion began; zero if there is none. */
  Duration deletedSince() {
    Duration since =
        deletion.map(end -> Duration.between(end.minus(gracePeriod), now)).orElse(Duration.ZERO);
    return since.isNegative() ? Duration.ZERO : since;
  }
}
