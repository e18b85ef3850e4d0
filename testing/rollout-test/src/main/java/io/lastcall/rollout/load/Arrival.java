package io.lastcall.rollout.load;

/**
 * One request of the schedule, decided before it is sent.
 *
 * @param offset nanoseconds after the load began
 * @param choice a point of the unit interval that picks among the endpoints the node sees
 */
public record Arrival(long offset, int node, Request request, boolean keepAlive, double choice) {}
