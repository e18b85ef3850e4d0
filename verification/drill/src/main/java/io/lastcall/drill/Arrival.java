package io.lastcall.drill;

/**
 * One request of the schedule, decided before it is sent.
 *
 * @param offset nanoseconds after the load began
 * @param millis how long the server is to take, for the kinds that take time
 * @param choice a point of the unit interval that picks among the endpoints the node sees
 */
record Arrival(
    long offset, int node, RequestKind kind, int millis, boolean keepAlive, double choice) {}
