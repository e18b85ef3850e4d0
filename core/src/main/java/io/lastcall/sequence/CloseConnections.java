package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.InProgress;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import io.lastcall.work.WorkControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * CLOSE_CONNECTIONS: long-lived connections first, then the listeners of servers of the coarse
 * role, which may end every connection, then the work that long-lived connections have begun, then
 * the user's steps, which close pools.
 */
final class CloseConnections extends PhaseRun {
  /** The shortest time between two connections that are told to close. */
  private static final Duration CLOSE_INTERVAL = Duration.ofMillis(2);

  /** The longest time over which connections are told to close: clients do not return at once. */
  private static final Duration CLOSE_WINDOW = Duration.ofSeconds(2);

  CloseConnections(ShutdownContext context) {
    super(Phase.CLOSE_CONNECTIONS, context);
  }

  @Override
  Deadline deadline() {
    return context.budget().closeEnd(context.hasClosers());
  }

  @Override
  Optional<String> describe(Deadline end) {
    int open = context.service().open();
    return open == 0
        ? Optional.empty()
        : Optional.of(
            "Closing %s, for up to %d ms"
                .formatted(
                    HangReport.counted(open, "long-lived connection"), end.remaining().toMillis()));
  }

  /**
   * Connections have {@code close-timeout}, or half of the phase if that is less and there are
   * steps. Half of a connection's time is for its client's answer: the last connection that is told
   * to close needs it as the first does.
   */
  @Override
  boolean run(Deadline end) {
    List<Step> closers = context.beginSteps(phase);
    Deadline timeout = context.budget().connectionsEnd(end);
    Deadline closedBy = closers.isEmpty() ? timeout : timeout.atMost(end.remaining().dividedBy(2));
    Duration paced = CLOSE_INTERVAL.multipliedBy(context.service().open());
    Duration longest = Durations.min(CLOSE_WINDOW, closedBy.remaining().dividedBy(2));
    closeAll(Durations.min(paced, longest), closedBy);
    boolean stopped = stopCoarseServers(closedBy);
    boolean finished = finishWork(closedBy);
    context.service().pools().stop();
    boolean ran = context.steps().run(closers, end);
    return ran && stopped && finished && context.service().open() == 0;
  }

  /** Ends what the connections' handlers have begun: pools and data sources close next. */
  private boolean finishWork(Deadline closedBy) {
    if (!context.recorder().isWorkOpen()) {
      return true;
    }
    InProgress all = context.service().inProgress();
    WorkControl work = context.service().work();
    Deadline end = Drain.lateLimit(closedBy, closedBy);
    boolean idle = all.awaitIdle(end);
    work.close();
    idle = idle && all.awaitIdle(end);
    if (!idle) {
      String left = context.service().outstanding();
      ShutdownLog.warn(log, "CLOSE_CONNECTIONS timed out; still in flight: {}", left);
      new Abandonment(context).runForWork(end);
    }
    context.recorder().endWork(idle);
    return idle;
  }

  /** Returns true if all stopped in time and no long-lived connection was open when they did. */
  private boolean stopCoarseServers(Deadline limit) {
    List<Step> stops = context.stopListening(phase, false);
    boolean cuts = !stops.isEmpty() && context.service().open() > 0;
    return context.steps().run(stops, Drain.lateLimit(limit, limit)) && !cuts;
  }

  /** On a thread of its own: a container may call the application within a close. */
  private void closeAll(Duration window, Deadline deadline) {
    ConnectionControl connections = context.service().connections();
    boolean none = context.service().open() == 0;
    ConcurrentTask closing =
        ConcurrentTask.start("closer", none, () -> connections.closeAll(window, deadline));
    closing.await(deadline);
    if (!closing.isDone() && !connections.areAllToldToClose()) {
      ShutdownLog.warn(
          log,
          "CLOSE_CONNECTIONS goes on: telling a connection to close does not end; it is{}",
          Threads.stack(closing.thread()));
    }
  }
}
