package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.SafeLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;

/** The CLOSE_CONNECTIONS phase: long-lived connections first, the user's closers behind them. */
final class CloseConnections {
  /** Long-lived connections are told to close at most this fast, unless the window is too short. */
  private static final Duration CLOSE_INTERVAL = Duration.ofMillis(2);

  /**
   * However many there are, all are told within 2 s, or half of their time: enough that thousands
   * of clients do not connect elsewhere in one instant, and little of a default phase of 3.25 s.
   */
  private static final Duration CLOSE_WINDOW = Duration.ofSeconds(2);

  private final Logger log;
  private final ShutdownPlan plan;
  private final ConnectionControl connections;
  private final List<Step> closers;
  private final StepRunner steps;
  private final Deadline end;

  /**
   * @param end when the phase is over
   */
  CloseConnections(
      Logger log,
      ShutdownPlan plan,
      ConnectionControl connections,
      List<Step> closers,
      StepRunner steps,
      Deadline end) {
    this.log = log;
    this.plan = plan;
    this.connections = connections;
    this.closers = closers;
    this.steps = steps;
    this.end = end;
  }

  /**
   * Connections have the timeout, closers the phase. Where there are closers, connections leave
   * them half of the phase. Half of a connection's time is for its client's answer: the last one
   * told needs it as the first did.
   *
   * @return whether every connection is gone and every closer completed
   */
  boolean run() {
    Deadline timeout = end.atMost(plan.closeTimeout());
    Deadline closedBy = closers.isEmpty() ? timeout : timeout.atMost(end.remaining().dividedBy(2));
    Duration paced = CLOSE_INTERVAL.multipliedBy(open());
    Duration longest = Durations.min(CLOSE_WINDOW, closedBy.remaining().dividedBy(2));
    try {
      closeAll(Durations.min(paced, longest), closedBy);
    } catch (Throwable t) {
      SafeLog.warn(log, "Long-lived connections could not be closed; the closers follow", t);
    }
    boolean ran = steps.run(closers, end);
    return ran && open() == 0;
  }

  private int open() {
    return connections.connections().open();
  }

  /**
   * Beside this thread: a container may call the application within a close, which may then take
   * its time. At the deadline it gets a moment to end by itself.
   */
  private void closeAll(Duration window, Deadline deadline) {
    BooleanSupplier body = () -> connections.closeAll(window, deadline);
    Beside closing = open() == 0 ? Beside.here("closer", body) : Beside.start("closer", body);
    closing.await(deadline);
    if (!closing.isDone() && !connections.isEveryoneTold()) {
      SafeLog.attempt(
          () ->
              log.warn(
                  "CLOSE_CONNECTIONS goes on: telling a connection to close does not end; it is{}",
                  StuckReporter.stack(closing.thread())));
    }
  }
}
