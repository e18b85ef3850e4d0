package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;

/** The service that shuts down. Its history is of the arrivals before the shutdown. */
public record Service(
    GateControl gate,
    ConnectionControl connections,
    Registrations registrations,
    ArrivalHistory history) {

  /** Starts to observe arrivals where the plan needs them: for adaptive propagation. */
  public void observeArrivals(ShutdownPlan plan) {
    if (plan.isAdaptive()) {
      Threads.daemon("history", history::sample).start();
      PropagationWait.logNeeds(plan);
    }
  }

  /**
   * Returns whether routers know of this process: it had a server, or has counted a request. A
   * consumer or a job is reached by no router.
   */
  public boolean isRouted() {
    return registrations.hadServer() || gate.started() > 0;
  }

  /**
   * Returns whether HTTP connections are open and not one request or probe was ever counted.
   * Long-lived connections do not count: a container may answer their upgrade before any filter.
   */
  public boolean hasUncountedConnections() {
    return gate.started() == 0
        && !gate.sawProbe()
        && GuardedServer.open(registrations.servers()) > open();
  }

  /** Returns how many long-lived connections are open. */
  int open() {
    return connections.connections().open();
  }
}
