package io.lastcall.drill;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.Pod;
import io.lastcall.rollout.load.Arrival;
import io.lastcall.rollout.load.Client;
import io.lastcall.rollout.load.Exchange;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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
  static void of(Pod pod, DrillSettings settings) {
    ClusterNode node = new ClusterNode();
    node.join(pod.index());
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Client client = Client.of(settings.load(), node, any -> pod.address(), threads)) {
      for (RequestKind kind : RequestKind.values()) {
        one(pod, client, kind);
      }
      for (int count = 0; count < WARM_UPS; count++) {
        one(pod, client, RequestKind.FAST);
      }
    } finally {
      threads.shutdown();
    }
  }

  private static void one(Pod pod, Client client, RequestKind kind) {
    Arrival arrival = new Arrival(0, 0, Requests.of(kind, MILLIS), false, 0);
    for (Exchange exchange : client.call(arrival, System.nanoTime())) {
      if (exchange.failed()) {
        throw new IllegalStateException(
            "pod %d answers a %s request with: %s; see %s"
                .formatted(pod.index() + 1, kind.label(), exchange.outcome().label(), pod.log()));
      }
    }
  }
}
