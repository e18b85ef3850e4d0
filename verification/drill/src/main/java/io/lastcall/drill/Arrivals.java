package io.lastcall.drill;

import io.lastcall.rollout.load.Arrival;
import io.lastcall.rollout.load.Request;
import io.lastcall.rollout.load.Schedule;
import java.util.Random;

/**
 * The open-loop schedule: Poisson arrivals, which do not wait for answers. All randomness comes
 * from the seed and is drawn in one fixed order, so two runs with one seed ask for the same things
 * at the same times.
 */
final class Arrivals implements Schedule {
  private static final int SHORTEST_WORK_MILLIS = 50;
  private static final double NANOS_PER_SECOND = 1e9;

  private final Random random;
  private final DrillSettings settings;
  private double clock;

  Arrivals(long seed, DrillSettings settings) {
    this.random = new Random(seed * 31 + 7);
    this.settings = settings;
  }

  @Override
  public Arrival next() {
    clock += -Math.log(1 - random.nextDouble()) / settings.rate() * NANOS_PER_SECOND;
    int node = random.nextInt(settings.nodes());
    RequestKind kind = RequestKind.at(random.nextDouble());
    int longest = (int) settings.longestWork().toMillis();
    int millis = SHORTEST_WORK_MILLIS + random.nextInt(Math.max(1, longest - SHORTEST_WORK_MILLIS));
    boolean keepAlive = random.nextDouble() < settings.keepAliveShare();
    double choice = random.nextDouble();
    Request request = Requests.of(kind, millis);
    return new Arrival((long) clock, node, request, keepAlive || request.pair(), choice);
  }
}
