package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.InFlightRequest;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.time.Deadline;
import io.lastcall.work.WorkControl;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The service that shuts down. Its history is of the arrivals before the shutdown. */
public record Service(
    GateControl gate,
    ConnectionControl connections,
    Registrations registrations,
    ArrivalHistory history,
    WorkControl work) {

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

  /** Returns whether no request is in flight, no long-lived connection open, and no work. */
  public boolean isIdle() {
    return busy().isEmpty();
  }

  /** Returns in words which requests, long-lived connections and work are open; empty if none. */
  public String busy() {
    List<String> connections =
        open() == 0 ? List.of() : List.of(HangReport.counted(open(), "long-lived connection"));
    return join(Stream.of(requests(), connections, work.open()));
  }

  /**
   * Waits until no request is in flight and no work is open, and every source is finished. New
   * requests are still let in.
   */
  boolean awaitIdle(Deadline deadline) {
    do {
      if (!gate.awaitIdle(deadline) || !work.awaitIdle(deadline)) {
        return false;
      }
    } while (!gate.isIdle());
    return true;
  }

  /** Returns the requests in flight and the units of work that are open. */
  List<InFlightRequest> running() {
    return Stream.concat(gate.running().stream(), work.running().stream()).toList();
  }

  /** Returns in words what DRAIN waits for; empty if for nothing. */
  String outstanding() {
    return join(Stream.of(requests(), work.open(), work.unfinishedSources()));
  }

  private List<String> requests() {
    long inFlight = gate.gate().inFlight();
    return inFlight == 0
        ? List.of()
        : List.of(HangReport.counted(inFlight, "request") + " in flight");
  }

  private static String join(Stream<List<String>> parts) {
    return parts.flatMap(List::stream).collect(Collectors.joining(", "));
  }

  /** Returns how many long-lived connections are open. */
  int open() {
    return connections.connections().open();
  }
}
