package io.lastcall.sequence;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.InProgress;
import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * DRAIN: every request that was accepted is answered, and then no other can be.
 *
 * <p>The order in which things close decides whether a request is lost:
 *
 * <ol>
 *   <li><b>Requests and work in flight finish</b>, and late requests are served. Their responses
 *       say {@code Connection: close}, so that each of these connections ends with its response.
 *       The wait ends at the instant when none is in flight; the last one to finish wakes this
 *       thread.
 *   <li><b>Listeners close after their backlog.</b> A connection that the kernel has accepted looks
 *       open to its client, which has sent its request already: closing the listener would reset
 *       it. So each server first accepts what is queued.
 *   <li><b>Idle connections close.</b> Not before the listener: a client that loses its connection
 *       opens another one, and must reach another replica, not this backlog. Each is half-closed
 *       and read on for a moment, since a request may cross our FIN.
 *   <li><b>Connections that only seem idle get a moment.</b> A client that has just connected is
 *       about to send; half of a request's head may have arrived. Both get {@link #ROUNDS} of
 *       {@link #ROUND}; a request that comes out of it is served, and the rounds begin anew.
 *   <li><b>The gate closes</b>, once nothing is left that could ask to enter.
 *   <li><b>Work closes last.</b> Steps of this phase and the last requests begin work, and one
 *       piece of it another: so they end first, and then nothing of anything is in progress. Where
 *       long-lived connections are open, whose handlers begin work too, it closes after them, in
 *       CLOSE_CONNECTIONS.
 * </ol>
 *
 * Requests that outlive the phase are answered 503 if their response has not begun and their server
 * can do that, and the report names them.
 */
final class Drain extends PhaseRun {
  /** The least time for closing the listeners, and then for answering unfinished requests. */
  static final Duration LATE_WORK = Duration.ofMillis(200);

  /** Longer than a round trip around the world. */
  private static final Duration ROUND = Duration.ofMillis(500);

  /**
   * Round 1 is for connections that were just accepted; round 2 for half-sent heads, handshakes and
   * upgrades, which may never be whole. A round in which more than a tenth of the connections ended
   * is repeated: to close that many takes longer than a round.
   */
  private static final int ROUNDS = 2;

  /** How long a quiet moment is waited for: where routers go on sending, none comes. */
  private static final Duration LONGEST_QUIET_WAIT = ROUND.multipliedBy(4);

  /**
   * How long before the end of the phase new requests are refused, so that admitted ones can
   * finish; at most half of the phase. In a short time none is refused while this process listens.
   */
  private static final Duration LATE_CUTOFF = Duration.ofSeconds(5);

  /** How long stacks of unfinished requests may be taken: usually it takes far less. */
  private static final Duration STACKS = Duration.ofMillis(100);

  private final Abandonment abandonment;

  Drain(ShutdownContext context) {
    super(Phase.DRAIN, context);
    abandonment = new Abandonment(context);
  }

  @Override
  Deadline deadline() {
    return context
        .budget()
        .drainEnd(
            context.service().open() == 0
                && !context.hasClosers()
                && !context.service().work().mayHandBack());
  }

  @Override
  Optional<String> describe(Deadline end) {
    String outstanding = context.service().outstanding();
    return outstanding.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "DRAIN waits for %s, for up to %d ms"
                .formatted(outstanding, end.remaining().toMillis()));
  }

  @Override
  boolean run(Deadline end) {
    context.service().work().drainBy(end);
    ConcurrentTask steps = context.startSteps(phase, end);
    boolean drained = drain(end);
    drained = steps.await(end) && drained;
    return finish(drained, end);
  }

  @Override
  void recover(Deadline end) {
    // The phase may have failed before it knew its end.
    Deadline latest = context.budget().drainLatest();
    context.service().inProgress().awaitIdle(latest);
    finish(false, latest);
  }

  /** Returns whether every request and connection ended in time. */
  private boolean drain(Deadline end) {
    boolean idle = drainRequests(end);
    stopListening(end);
    if (idle) {
      forEachConnection(HttpConnection::closeIfIdle);
    } else {
      abandonment.run(end);
    }
    boolean ended = awaitConnections(end, idle) && (!idle || stopCoarseServers(end));
    context.gate().close();
    return idle && ended;
  }

  /**
   * Called once the steps have ended: what they, and the last requests, have begun ends too.
   *
   * @return whether all of it did, in time
   */
  private boolean finish(boolean drained, Deadline end) {
    boolean idle = awaitIdle(end);
    boolean connected = context.service().open() > 0 && !abandonment.isDone();
    if (!idle || !connected) {
      context.service().work().close();
      idle = idle && awaitIdle(end);
      if (!idle) {
        abandonment.run(end);
      }
      context.recorder().endWork(idle);
    }
    context.recorder().endDrain(idle);
    return drained && idle;
  }

  private boolean drainRequests(Deadline end) {
    if (context.plan().lateRequests() == LateRequestPolicy.SERVE && awaitIdleServing(end)) {
      return true;
    }
    if (servesToTheEnd()) {
      stopListening(end); // and no 503: another replica serves what does not get in any more
    } else {
      context.gate().refuse();
    }
    return awaitIdle(end);
  }

  /** In a short time, a request may be the one that routers sent before they knew. */
  private boolean servesToTheEnd() {
    return context.plan().isShort() && context.plan().lateRequests() == LateRequestPolicy.SERVE;
  }

  private boolean awaitIdle(Deadline end) {
    boolean idle = context.service().inProgress().awaitIdle(end);
    if (!idle && !abandonment.isDone()) {
      HangReport report = new HangReport(Deadline.after(STACKS, end.ticker()));
      ShutdownLog.warn(
          log, "DRAIN timed out; still in flight:{}", report.requests(context.service()));
    }
    return idle;
  }

  /** Waits until late requests are refused, or the listeners close. */
  private boolean awaitIdleServing(Deadline end) {
    Duration half = Durations.min(context.plan().drainTimeout(), end.remaining()).dividedBy(2);
    Deadline refuseAt =
        Deadline.movable(
            end.ticker(),
            () -> {
              Duration cutoff = servesToTheEnd() ? LATE_WORK : LATE_CUTOFF;
              return end.plus(Durations.min(cutoff, half).negated()).nanos();
            });
    InProgress inProgress = context.service().inProgress();
    if (open() == 0) {
      return inProgress.awaitIdle(refuseAt);
    }
    Deadline askAgain = GuardedServer.askAgain(end, refuseAt);
    while (!inProgress.awaitIdle(refuseAt.atMost(GuardedServer.ANNOUNCE_AGAIN))) {
      if (refuseAt.hasPassed()) {
        return false;
      }
      boolean again = askAgain.hasPassed();
      context.servers().forEach(server -> server.announceClose(again));
      abandonment.releaseGone();
    }
    return true;
  }

  private void stopListening(Deadline end) {
    List<Step> stops = context.stopListening(phase, true);
    ConcurrentTask stopping =
        ConcurrentTask.start("listeners", stops.isEmpty(), () -> runLate(stops, end, end));
    if (!stopping.await(end.atMost(ROUND)) && !stopping.isDone()) {
      // Without a free file descriptor the queue cannot be accepted: idle connections hold some.
      forEachConnection(HttpConnection::closeIfIdle);
      stopping.await(lateLimit(end, end));
    }
  }

  private boolean runLate(List<Step> work, Deadline limit, Deadline end) {
    return context.steps().run(work, lateLimit(limit, end));
  }

  /** Returns the limit of what must be done however late it is. */
  static Deadline lateLimit(Deadline limit, Deadline end) {
    return limit.later(Deadline.after(LATE_WORK, end.ticker()));
  }

  private void forEachConnection(Consumer<HttpConnection> action) {
    context.servers().forEach(server -> server.forEach(action));
  }

  /**
   * Waits until no connection waits for an answer. While there are requests or responses to wait
   * for, that may take the whole phase; without any, connections get their {@link #ROUNDS}.
   *
   * @param wasIdle whether no request was in flight when idle connections were told to close:
   *     requests that run now came later, and are waited for
   */
  private boolean awaitConnections(Deadline end, boolean wasIdle) {
    BooleanSupplier ended = GuardedServer.connectionsEnded(context.servers());
    int rounds = 0;
    long left = open();
    while (!end.atMost(ROUND).await(this, ended)) {
      if (!context.gate().isIdle()) {
        if (!wasIdle) {
          return false;
        }
        if (!drainRequests(end)) {
          abandonment.run(end);
          return false;
        }
        rounds = 0; // where one came so late, others may be on their way
      } else if (context.servers().stream().noneMatch(GuardedServer::isAnswering)) {
        long before = left;
        left = open();
        rounds = before - left > before / 10 && !end.hasPassed() ? 0 : rounds + 1;
      } else if (end.hasPassed()) {
        ShutdownLog.warn(
            log,
            "DRAIN timed out; some responses are not sent yet, or their event loop is blocked");
        return false;
      }
      if (rounds == ROUNDS) {
        ShutdownLog.info(
            log, "DRAIN goes on without half-sent requests and WebSockets being opened");
        return true;
      }
      forEachConnection(HttpConnection::closeIfIdle);
    }
    return true;
  }

  /**
   * Servers of the coarse role: waits until no request has come for a {@link #ROUND}, since their
   * stop may end every connection. They stop before the gate closes, so that late requests are
   * served up to then; where long-lived connections are open, in CLOSE_CONNECTIONS.
   */
  private boolean stopCoarseServers(Deadline end) {
    if (!context.hasCoarseServer()) {
      return true;
    }
    Deadline latest = end.atMost(LONGEST_QUIET_WAIT);
    Deadline quiet = quiet(latest);
    while (!quiet.hasPassed() || !context.gate().isIdle()) {
      quiet.awaitPassed(this);
      if (!drainRequests(end)) {
        abandonment.run(end);
        return false;
      }
      quiet = quiet(latest);
    }
    return context.service().open() > 0 || runLate(context.stopListening(phase, false), end, end);
  }

  private Deadline quiet(Deadline latest) {
    Duration lastArrival = context.gate().lastArrival().orElse(Duration.ZERO);
    return context.budget().start().plus(lastArrival).plus(ROUND).earlier(latest);
  }

  private long open() {
    return GuardedServer.open(context.servers());
  }
}
