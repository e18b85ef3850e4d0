package io.lastcall.admission;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts an Event about a Pod that cannot hand over, and the same about its owner. No review waits
 * for it. The name of an Event says what for and since when, so that the API server keeps one of
 * many: each try of a drain would be a new one, from each replica of the webhook. Thread-safe.
 */
final class PodEvents {
  static final String CANNOT = "LastcallCannotHandOver";
  static final String LET_GO = "LastcallLetGoUnprepared";

  private static final int LONGEST = 1024;

  private static final Logger log = LoggerFactory.getLogger(PodEvents.class);

  private final ApiClient api;
  private final Executor threads;

  PodEvents(ApiClient api, Executor threads) {
    this.api = api;
    this.threads = threads;
  }

  /**
   * Posts a warning.
   *
   * @param since when the Pod was first refused: one Event for each reason since then
   */
  void warn(Pod pod, String reason, String message, Instant since, Instant now) {
    threads.execute(() -> post(pod, reason, message, since, now));
  }

  private void post(Pod pod, String reason, String message, Instant since, Instant now) {
    try {
      for (ObjectRef about : about(pod)) {
        api.postEvent(pod.namespace(), event(pod, about, reason, message, since, now));
      }
    } catch (IOException e) {
      log.info("No Event says that {} cannot hand over: {}", pod, e.toString());
    }
  }

  /** Returns the Pod, the controller that has made it, and the Deployment of a ReplicaSet. */
  private List<ObjectRef> about(Pod pod) throws IOException {
    ObjectRef self = new ObjectRef("v1", "Pod", pod.name(), pod.uid());
    if (pod.owner().isEmpty()) {
      return List.of(self);
    }
    ObjectRef owner = pod.owner().get();
    return List.of(self, api.top(pod.namespace(), owner).orElse(owner));
  }

  private static ObjectNode event(
      Pod pod, ObjectRef about, String reason, String message, Instant since, Instant now) {
    String name =
        "%s.%x"
            .formatted(
                pod.name().substring(0, Math.min(200, pod.name().length())),
                (reason + message.replaceAll("\\d+", "") + since + about.uid()).hashCode());
    ObjectNode event = Review.JSON.createObjectNode();
    event.put("apiVersion", "v1").put("kind", "Event").put("type", "Warning");
    event.put("reason", reason).put("count", 1);
    event.put("message", message.substring(0, Math.min(LONGEST, message.length())));
    event.put("firstTimestamp", now.toString()).put("lastTimestamp", now.toString());
    event.putObject("source").put("component", "lastcall-admission");
    event.putObject("metadata").put("name", name).put("namespace", pod.namespace());
    about.write(event.putObject("involvedObject"), pod.namespace());
    return event;
  }
}
