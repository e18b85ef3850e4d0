package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.report.Traffic;
import io.lastcall.time.TimeSeries;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records arrivals and closings as they happen, and samples what is open at each interval. Nothing
 * of it exists before the trigger, and its memory is fixed at the trigger.
 */
final class TrafficRecorder {
  private static final Logger log = LoggerFactory.getLogger(TrafficRecorder.class);

  private final GateControl gate;
  private final ConnectionControl connections;
  private final List<GuardedServer> servers;
  private final TimeSeries arrivals;
  private final TimeSeries refused;
  private final TimeSeries inFlight;
  private final TimeSeries httpConnections;
  private final TimeSeries longLived;
  private final TimeSeries closings;
  private final Thread sampler = Threads.daemon("sampler", this::sampleEachInterval);
  private volatile boolean stopped;

  TrafficRecorder(
      Budget budget, GateControl gate, ConnectionControl connections, List<GuardedServer> servers) {
    this.gate = gate;
    this.connections = connections;
    this.servers = servers;
    arrivals = series(budget);
    refused = series(budget);
    inFlight = series(budget);
    httpConnections = series(budget);
    longLived = series(budget);
    closings = series(budget);
  }

  private static TimeSeries series(Budget budget) {
    return TimeSeries.over(budget.start(), budget.plan().untilHalt());
  }

  /** Begins to count; called before the gate begins to leave. */
  void start() {
    gate.countArrivals(arrivals, refused);
    connections.countClosings(closings);
    sample();
    if (!Threads.start(sampler)) {
      SafeLog.attempt(() -> log.debug("No thread is left to sample what is in flight"));
    }
  }

  private void sampleEachInterval() {
    while (!inFlight.next().await(this, () -> stopped)) {
      try {
        sample();
      } catch (Throwable t) {
        SafeLog.debug(log, "What is open could not be sampled", t);
      }
    }
  }

  private void sample() {
    inFlight.sample(gate.gate().inFlight());
    longLived.sample(connections.connections().open());
    httpConnections.sample(GuardedServer.open(servers));
  }

  /** Ends the sampling, with a last sample. */
  Traffic stop() {
    stopped = true;
    LockSupport.unpark(sampler);
    sample();
    int last = arrivals.now();
    return new Traffic(
        arrivals.interval(),
        arrivals.values(last),
        refused.values(last),
        inFlight.values(last),
        httpConnections.values(last),
        longLived.values(last),
        closings.values(last));
  }
}
