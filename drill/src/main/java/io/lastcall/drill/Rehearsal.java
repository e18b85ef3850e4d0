package io.lastcall.drill;

import java.io.IOException;
import java.time.Duration;

/**
 * Before the load: each pod answers one request of every kind, which shows a server that does not
 * keep its promises at once, and some more to warm both JVMs, as a readiness gate would on a
 * cluster.
 */
final class Rehearsal {
  private static final int WARM_UPS = 100;
  private static final int MILLIS = 20;

  private Rehearsal() {}

  /**
   * Rehearses.
   *
   * @throws IllegalStateException if an answer is not what it has to be
   */
  static void of(Pod pod, Duration timeout) throws IOException {
    for (RequestKind kind : RequestKind.values()) {
      one(pod, kind, timeout);
    }
    for (int count = 0; count < WARM_UPS; count++) {
      one(pod, RequestKind.FAST, timeout);
    }
  }

  private static void one(Pod pod, RequestKind kind, Duration timeout) throws IOException {
    Request request = Request.of(kind, MILLIS);
    try (HttpConnection connection = HttpConnection.open(pod.index(), pod.port(), timeout)) {
      connection.send(request);
      Outcome outcome = request.judge(connection.receive());
      if (outcome != Outcome.OK) {
        throw new IllegalStateException(
            "pod %d answers a %s request with: %s; see %s"
                .formatted(pod.index() + 1, kind.label(), outcome.label(), pod.log()));
      }
    }
  }
}
