package io.lastcall.sequence;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import io.lastcall.work.WorkControl;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * DRAIN: every request that was accepted is answered, and then no other can be.
 *
 * <p>What is closed in which order decides whether a request is lost:
 *
 * <ol>
 *   <li><b>Requests in flight finish</b>, and late requests are served. Their responses say {@code
 *       Connection: close}, so that each of these connections ends with its response. The wait ends
 *       at the instant when none is in flight; the last one to finish wakes this thread.
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
 * </ol>
 *
 * Where requests outlive the phase, they are answered 503 if their response has not begun and their
 * server can do that, and the report names them.
 */
final class Drain implements PhaseRun {
  /**
   * The time that closing the listeners, and then answering unfinished requests, may each take even
   * where requests have used up the phase.
   */
  static final Duration LATE_WORK = Duration.ofMillis(200);

  /**
   * How long a connection that only seems idle is waited for: more than a round trip around the
   * world.
   */
  private static final Duration ROUND = Duration.ofMillis(500);

  /**
   * How many rounds there are: one for connections that were accepted a moment ago, one for
   * half-sent heads, handshakes and WebSockets being opened, which may never be whole. A round in
   * which more than a tenth of the connections ended does not count: the others wait for their
   * turn.
   */
  private static final int ROUNDS = 2;

  /** How often connections that were opened meanwhile are asked to leave. */
  private static final Duration ANNOUNCE_AGAIN = Duration.ofMillis(500);

  /** How long handing work back may take, out of the time of CLOSE_CONNECTIONS: at most half. */
  private static final Duration HAND_BACK = Duration.ofSeconds(1);

  /** How long answering unfinished requests may take where no later phase needs the time. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  /**
   * How long before the end of the phase new requests are refused, so that admitted ones can
   * finish; at most half of the phase.
   */
  private static final Duration LATE_CUTOFF = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final ShutdownContext context;

  Drain(ShutdownContext context) {
    this.context = context;
  }

  @Override
  public Phase phase() {
    return Phase.DRAIN;
  }

  @Override
  public Deadline deadline() {
    boolean nothingToClose =
        context.service().open() == 0
            && context.service().registrations().steps(Phase.CLOSE_CONNECTIONS).isEmpty()
            && !context.service().work().mayHandBack();
    return context.budget().drainEnd(nothingToClose);
  }

  @Override
  public Optional<String> describe(Deadline end) {
    String outstanding = context.service().outstanding();
    return outstanding.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "DRAIN waits for " + outstanding + ", for up to " + end.remaining().toMillis() + " ms");
  }

  @Override
  public boolean run(Deadline end) {
    boolean drained = false;
    try {
      ConcurrentTask steps = context.startSteps(Phase.DRAIN, end);
      drained = drain(end);
      return steps.await(end) && drained;
    } finally {
      context.recorder().endDrain(drained);
    }
  }

  @Override
  public void recover(Deadline end) {
    context.service().awaitIdle(end);
  }

  /** Returns whether every request and connection ended in time. */
  private boolean drain(Deadline end) {
    boolean idle = drainRequests(end);
    stopListening(end);
    if (idle) {
      tellConnections(HttpConnection::closeIfIdle);
    } else {
      abandon(end);
    }
    boolean ended = awaitConnections(end, idle);
    context.gate().close();
    context.service().work().close();
    return idle && ended && awaitIdle(end);
  }

  private boolean drainRequests(Deadline end) {
    if (context.plan().lateRequests() == LateRequestPolicy.SERVE && awaitIdleServing(end)) {
      return true;
    }
    context.gate().refuse();
    return awaitIdle(end);
  }

  private boolean awaitIdle(Deadline end) {
    boolean idle = context.service().awaitIdle(end);
    if (!idle) {
      ShutdownLog.warn(
          log,
          "DRAIN timed out; still in flight:{}",
          HangReport.soon(end).requests(context.service()));
    }
    return idle;
  }

  /** Waits until late requests are refused. */
  private boolean awaitIdleServing(Deadline end) {
    Duration half = Durations.min(context.plan().drainTimeout(), end.remaining()).dividedBy(2);
    Duration cutoff = Durations.min(LATE_CUTOFF, half);
    Deadline refuseAt = end.plus(cutoff.negated());
    if (context.servers().stream().allMatch(server -> server.connections().isEmpty())) {
      return context.service().awaitIdle(refuseAt);
    }
    while (!context.service().awaitIdle(refuseAt.atMost(ANNOUNCE_AGAIN))) {
      if (refuseAt.hasPassed()) {
        return false;
      }
      // HTTP/2: a busy connection leaves only when asked twice, a new one was not asked yet.
      tellConnections(HttpConnection::announce);
    }
    return true;
  }

  private void stopListening(Deadline end) {
    List<Step> stops =
        context.servers().stream()
            .map(
                server ->
                    Step.of(
                        Phase.DRAIN,
                        "stop listening " + server.name(),
                        step -> server.stopListening(step.deadline())))
            .toList();
    runLate(stops, end, end);
  }

  /** Answers what still runs, as far as servers can, and closes its connections. */
  private void abandon(Deadline end) {
    WorkControl work = context.service().work();
    Duration time = Durations.min(HAND_BACK, context.plan().closeTimeout().dividedBy(2));
    runLate(work.handBacks(), Deadline.after(time, end.ticker()), end);
    // Before: a request that is answered now ends by that, and was not served.
    context.recorder().endDrain(false);
    Step answer =
        Step.of(
            Phase.DRAIN,
            "answer what still runs",
            step -> context.gate().giveUp(mostOf(step.deadline())));
    runLate(List.of(answer), context.budget().drainLatest().atMost(LAST_ANSWERS), end);
    tellConnections(HttpConnection::giveUp);
    work.interrupt();
  }

  /**
   * At its deadline a step counts as hanging: where there is very much to answer it stops first.
   */
  private static Deadline mostOf(Deadline deadline) {
    return deadline.atMost(deadline.remaining().multipliedBy(3).dividedBy(4));
  }

  private void runLate(List<Step> work, Deadline limit, Deadline end) {
    context.steps().run(work, limit.later(Deadline.after(LATE_WORK, end.ticker())));
  }

  private void tellConnections(Consumer<HttpConnection> action) {
    context.servers().forEach(server -> server.tell(action));
  }

  /**
   * Waits until no connection is owed an answer. While there are requests or responses to wait for,
   * that may take the whole phase; without any, connections get their {@link #ROUNDS}.
   *
   * @param wasIdle whether no request was in flight when idle connections were told to close:
   *     requests that run now came later, and are waited for
   */
  private boolean awaitConnections(Deadline end, boolean wasIdle) {
    BooleanSupplier ended = connectionsEnded();
    int rounds = 0;
    long left = open();
    while (!end.atMost(ROUND).await(this, ended)) {
      if (!context.gate().isIdle()) {
        if (!wasIdle) {
          return false;
        }
        if (!drainRequests(end)) {
          abandon(end);
          return false;
        }
        rounds = 0; // where one came so late, others may be on their way
      } else if (!isAnswering()) {
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
      tellConnections(HttpConnection::closeIfIdle);
    }
    return true;
  }

  /**
   * Returns what says whether the connections of every server ended; the last wakes this thread.
   */
  private BooleanSupplier connectionsEnded() {
    Thread waiter = Thread.currentThread();
    List<GuardedServer> servers = context.servers();
    AtomicInteger open = new AtomicInteger(servers.size());
    for (GuardedServer server : servers) {
      server.whenConnectionsEnded(
          () -> {
            open.getAndDecrement();
            LockSupport.unpark(waiter);
          });
    }
    return () -> open.get() == 0;
  }

  private long open() {
    return GuardedServer.open(context.servers());
  }

  private boolean isAnswering() {
    return context.servers().stream().anyMatch(GuardedServer::isAnswering);
  }
}
