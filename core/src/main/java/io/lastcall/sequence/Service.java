package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.InProgress;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.pool.Pools;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.text.Words;
import io.lastcall.time.Ticker;
import io.lastcall.work.WorkControl;
import java.util.ArrayList;
import java.util.List;

/** The service that shuts down. Its history is of the arrivals before the shutdown. */
public record Service(
    GateControl gate,
    ConnectionControl connections,
    Registrations registrations,
    ArrivalHistory history,
    WorkControl work,
    Pools pools) {

  /** Returns a service in which nothing is in progress yet. */
  public static Service of(Registrations registrations, Ticker ticker) {
    GateControl gate = new GateControl(ticker);
    return new Service(
        gate,
        new ConnectionControl(),
        registrations,
        new ArrivalHistory(gate::started, gate.arrivals(), ticker),
        new WorkControl(ticker),
        new Pools(gate::started, ticker));
  }

  /** Starts to observe arrivals where the plan needs them: for adaptive propagation. */
  public void observeArrivals(ShutdownPlan plan) {
    if (plan.isAdaptive()) {
      gate.observeArrivals();
      Threads.daemon("history", history::sample).start();
      PropagationWait.logNeeds(plan);
    }
  }

  /**
   * Returns whether routers know of this process: it had a server, or has counted a request. A
   * consumer or a job is reached by no router.
   */
  public boolean isRouted() {
    return registrations.isRouted() || gate.started() > 0;
  }

  /**
   * Returns whether HTTP connections are open and not one request or probe was ever counted.
   * Long-lived connections do not count: a container may answer their upgrade before any filter.
   */
  public boolean hasUncountedConnections() {
    return gate.started() == 0
        && !gate.sawProbe()
        && GuardedServer.openInDoubt(registrations.servers()) > open();
  }

  /** Returns everything that DRAIN waits for, as one: the only place that puts it together. */
  public InProgress inProgress() {
    return InProgress.all(() -> List.of(gate, work));
  }

  /** Returns whether no request is in flight, no connection or session is open, and no work. */
  public boolean isIdle() {
    return open() == 0 && connections.sessions().open() == 0 && inProgress().isIdle();
  }

  /** Returns in words which requests, connections, sessions and work are open; empty if none. */
  public String busy() {
    List<String> parts = new ArrayList<>(inProgress().describe());
    if (open() > 0) {
      parts.add(Words.counted(open(), "long-lived connection"));
    }
    parts.addAll(connections.sessions().describe());
    return String.join(", ", parts);
  }

  /** Returns in words what DRAIN waits for; empty if for nothing. */
  String outstanding() {
    return String.join(", ", inProgress().describe());
  }

  /** Returns how many long-lived connections are open. */
  int open() {
    return connections.connections().open();
  }
}
