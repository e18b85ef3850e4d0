package io.lastcall.rollout.cluster;

import io.lastcall.rollout.load.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * One node's own view of the endpoints. It decides where NEW connections go; established ones stay
 * where they are, as they do behind conntrack, until the server ends them.
 */
public final class ClusterNode implements View {
  /** The leave time of a node that never learns. */
  public static final long NEVER = Long.MAX_VALUE;

  private final List<Route> routes = new CopyOnWriteArrayList<>();

  /** A pod, and the time from which this node no longer routes to it. */
  private record Route(int pod, long until) {}

  public void join(int pod) {
    routes.add(new Route(pod, NEVER));
  }

  /** The node learns at the given time that the pod is going. */
  public void leaveAt(int pod, long time) {
    routes.replaceAll(route -> route.pod() == pod ? new Route(pod, time) : route);
  }

  public List<Integer> endpoints(long now) {
    List<Integer> seen = new ArrayList<>();
    for (Route route : routes) {
      if (route.until() == NEVER || now - route.until() < 0) {
        seen.add(route.pod());
      }
    }
    return seen;
  }

  /**
   * Picks one of the endpoints seen now.
   *
   * @param choice a point of the unit interval
   * @throws IllegalStateException if the node sees none; the drill adds before it removes
   */
  @Override
  public int pick(double choice, long now) {
    List<Integer> seen = endpoints(now);
    if (seen.isEmpty()) {
      throw new IllegalStateException("a node has no endpoint left");
    }
    return seen.get((int) (choice * seen.size()));
  }
}
