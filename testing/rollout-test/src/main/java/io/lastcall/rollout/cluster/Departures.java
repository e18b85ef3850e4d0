package io.lastcall.rollout.cluster;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * How long after SIGTERM each node learns that an endpoint is going. Most learn early, some late:
 * the square of a uniform value, so half the nodes have left after a quarter of the time and one in
 * eight is still there after three quarters.
 */
public final class Departures {
  private final Random random;
  private final int nodes;
  private final long maxLateness;
  private final List<Integer> neverLearn;
  private int turn;

  public Departures(long seed, int nodes, Duration maxLateness, int neverLeave) {
    this.random = new Random(seed * 131 + 17);
    this.nodes = nodes;
    this.maxLateness = maxLateness.toNanos();
    List<Integer> all = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      all.add(node);
    }
    Collections.shuffle(all, random);
    this.neverLearn = List.copyOf(all.subList(0, neverLeave));
  }

  /**
   * The next node's delay in nanoseconds, in the order of the nodes; {@link ClusterNode#NEVER} if
   * it never learns.
   */
  public long next() {
    int node = turn++ % nodes;
    double uniform = random.nextDouble();
    return neverLearn.contains(node) ? ClusterNode.NEVER : (long) (uniform * uniform * maxLateness);
  }
}
