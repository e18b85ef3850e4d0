package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.propagation.ArrivalHistory;

/**
 * The service that shuts down: its requests, its long-lived connections, and what takes part.
 *
 * @param gate counts requests
 * @param connections the long-lived connections
 * @param registrations steps, servers and listeners
 * @param history the arrivals before the shutdown
 */
public record Service(
    GateControl gate,
    ConnectionControl connections,
    Registrations registrations,
    ArrivalHistory history) {

  /**
   * Returns whether routers know of this process: it had a server, or has counted a request. A
   * consumer or a job is reached by no router.
   */
  public boolean isRouted() {
    return registrations.hadServer() || gate.started() > 0;
  }

  /**
   * Returns whether HTTP connections are open and not one request or probe was ever counted:
   * long-lived connections aside, whose upgrade a container may answer before any filter.
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
