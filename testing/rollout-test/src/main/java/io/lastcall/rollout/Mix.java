package io.lastcall.rollout;

import io.lastcall.rollout.load.Arrival;
import io.lastcall.rollout.load.Request;
import io.lastcall.rollout.load.Schedule;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** The user's requests as Poisson arrivals, each at its rate. All randomness is of the seed. */
final class Mix implements Schedule {
  private static final double NANOS_PER_SECOND = 1e9;

  /** Where clients only hold WebSockets and streams. */
  private static final Arrival NEVER =
      new Arrival(Long.MAX_VALUE / 4, 0, of(LoadRequest.get("/")), false, 0);

  private final List<LoadRequest> requests;
  private final List<Request> sent;
  private final double[] upTo;
  private final double total;
  private final int nodes;
  private final Random random;
  private double clock;

  /**
   * @param share of each rate that is sent
   */
  Mix(List<LoadRequest> requests, double share, int nodes, long seed) {
    this.requests = requests;
    this.nodes = nodes;
    random = new Random(seed * 31 + 7);
    sent = requests.stream().map(Mix::of).toList();
    upTo = new double[requests.size()];
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += requests.get(i).rate() * share;
      upTo[i] = sum;
    }
    total = sum;
  }

  static Request of(LoadRequest request) {
    return new Request(
        request.label(),
        request.label().substring(0, request.label().indexOf(' ')),
        request.path(),
        request.headers(),
        request.pieces(),
        Duration.ZERO,
        false,
        (status, body) -> request.accepts(status));
  }

  @Override
  public Arrival next() {
    if (total == 0) {
      return NEVER;
    }
    clock += -Math.log(1 - random.nextDouble()) / total * NANOS_PER_SECOND;
    int node = random.nextInt(nodes);
    double point = random.nextDouble() * total;
    int which = 0;
    while (which < upTo.length - 1 && point >= upTo[which]) {
      which++;
    }
    boolean keepAlive = random.nextDouble() < requests.get(which).keepAlive();
    return new Arrival((long) clock, node, sent.get(which), keepAlive, random.nextDouble());
  }
}
