package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.InProgress;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.text.Words;
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
  /**
   * The time between two connections that are told to close, if there is enough of it: 500 clients
   * a second return to the other processes.
   */
  private static final Duration CLOSE_INTERVAL = Duration.ofMillis(2);

  /** Fewer clients than these are no burst, however fast they return. */
  private static final int MANY = 1_000;

  /** The longest time that is kept for the answer of the connection that is told last. */
  private static final Duration LAST_ANSWER = LongLivedConnection.ANSWER.multipliedBy(2);

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
    if (open == 0) {
      return Optional.empty();
    }
    Duration time = closedBy(end, context.hasClosers()).remaining();
    boolean hurried =
        open > MANY && window(open, time).compareTo(CLOSE_INTERVAL.multipliedBy(open)) < 0;
    return Optional.of(
        "Closing %s, for up to %d ms%s"
            .formatted(
                Words.counted(open, "long-lived connection"),
                end.remaining().toMillis(),
                hurried ? pace(open, window(open, time)) : ""));
  }

  /** Says how many clients return at once, where that is more than it would be in more time. */
  private static String pace(int open, Duration window) {
    return "; they are told over %d ms, %d a second: a longer close-timeout spreads them"
        .formatted(window.toMillis(), open * 1_000L / Math.max(1, window.toMillis()));
  }

  /**
   * Returns when connections are closed at the latest: after {@code close-timeout}, or half of the
   * phase if that is less and there are steps.
   */
  private Deadline closedBy(Deadline end, boolean anyCloser) {
    Deadline timeout = context.budget().connectionsEnd(end);
    return anyCloser ? timeout.atMost(end.remaining().dividedBy(2)) : timeout;
  }

  /**
   * Returns over which time connections are told to close. The last one needs time for its client's
   * answer as the first does: half of all, at most {@link #LAST_ANSWER}.
   */
  private static Duration window(int open, Duration time) {
    Duration answer = Durations.min(time.dividedBy(2), LAST_ANSWER);
    return Durations.min(CLOSE_INTERVAL.multipliedBy(open), time.minus(answer));
  }

  @Override
  boolean run(Deadline end) {
    List<Step> closers = context.beginSteps(phase);
    Deadline closedBy = closedBy(end, !closers.isEmpty());
    closeAll(window(context.service().open(), closedBy.remaining()), closedBy);
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
