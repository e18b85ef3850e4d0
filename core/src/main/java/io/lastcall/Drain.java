package io.lastcall;

import io.lastcall.connection.FirstRequest;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.SafeLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The DRAIN phase. Requests first, then the listeners behind their backlogs, then the connections,
 * the gate last: at each point what was accepted before it is still answered.
 */
final class Drain {
  /**
   * How often connections that are still not idle get {@link FirstRequest#PATIENCE}, once no
   * request is in flight: once for those that were accepted a moment ago, and once more for
   * half-sent heads, handshakes and WebSockets being opened, of which nobody knows whether they
   * will ever be whole. A time in which more than a tenth of them have ended does not count: of
   * very many, others wait for their turn. Fewer may be clients that close, one by one, what is
   * half-closed already.
   */
  private static final int ROUNDS = 2;

  /**
   * What closing the listeners, and then giving requests up, may each take even where requests have
   * used up the phase's time.
   */
  static final Duration LATE_WORK = Duration.ofMillis(200);

  /** What giving requests up may take where no later phase is owed that time. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  /**
   * New requests get 503 in the last 5 s of the phase, at most half of it, so that those inside can
   * finish: few requests take longer, and earlier a replica that may be the only one still serves.
   */
  private static final Duration LATE_CUTOFF = Duration.ofSeconds(5);

  private final Logger log;
  private final ShutdownPlan plan;
  private final GateControl gate;
  private final List<GuardedServer> servers;
  private final StepRunner steps;
  private final Recorder recorder;
  private final Deadline end;
  private final Deadline latest;

  /**
   * @param end when the phase is over
   * @param latest the latest end: the time behind it is owed to later phases
   */
  Drain(
      Logger log,
      ShutdownPlan plan,
      GateControl gate,
      List<GuardedServer> servers,
      StepRunner steps,
      Recorder recorder,
      Deadline end,
      Deadline latest) {
    this.log = log;
    this.plan = plan;
    this.gate = gate;
    this.servers = servers;
    this.steps = steps;
    this.recorder = recorder;
    this.end = end;
    this.latest = latest;
  }

  /** Returns whether every request and connection ended in time. */
  boolean run() {
    boolean idle = drainRequests();
    stopListening();
    if (idle) {
      tellConnections(HttpConnection::closeIfIdle);
    } else {
      giveUp();
    }
    boolean ended = awaitConnections(idle);
    gate.close();
    return idle && ended && awaitIdle();
  }

  private boolean drainRequests() {
    if (plan.lateRequests() == LateRequestPolicy.SERVE && awaitIdleServing()) {
      return true;
    }
    gate.refuse();
    return awaitIdle();
  }

  private boolean awaitIdle() {
    boolean idle = gate.awaitIdle(end);
    if (!idle) {
      SafeLog.attempt(() -> log.warn("DRAIN timed out; still in flight:{}", stuck()));
    }
    return idle;
  }

  /** Until {@link #LATE_CUTOFF}. */
  private boolean awaitIdleServing() {
    Duration half = Durations.min(plan.drainTimeout(), end.remaining()).dividedBy(2);
    Duration cutoff = Durations.min(LATE_CUTOFF, half);
    Deadline refuseAt = end.plus(cutoff.negated());
    if (servers.stream().allMatch(server -> server.connections().isEmpty())) {
      return gate.awaitIdle(refuseAt);
    }
    while (!gate.awaitIdle(refuseAt.atMost(FirstRequest.PATIENCE))) {
      if (refuseAt.hasPassed()) {
        return false;
      }
      // One that is never idle leaves only when asked twice; one opened lately nobody has asked.
      tellConnections(HttpConnection::announce);
    }
    return true;
  }

  private String stuck() {
    return new StuckReporter(Deadline.after(StuckReporter.LOOKS, end.ticker())).requests(gate);
  }

  private boolean isIdle() {
    return gate.awaitIdle(Deadline.after(Duration.ZERO, end.ticker()));
  }

  private void stopListening() {
    run(
        servers.stream()
            .map(
                server ->
                    Step.of(
                        Phase.DRAIN,
                        "stop listening " + server.name(),
                        context -> server.stopListening(context.deadline())))
            .toList(),
        end);
  }

  private void giveUp() {
    // Before anybody is told: who is given up ends by that, and was not served.
    recorder.endDrain(false);
    run(
        List.of(
            Step.of(
                Phase.DRAIN,
                "answer what still runs",
                context -> gate.giveUp(mostOf(context.deadline())))),
        latest.atMost(LAST_ANSWERS));
    tellConnections(HttpConnection::giveUp);
  }

  /** At its end the step counts as hanging: where there is very much to answer it stops short. */
  private static Deadline mostOf(Deadline deadline) {
    return deadline.atMost(deadline.remaining().multipliedBy(3).dividedBy(4));
  }

  private void run(List<Step> work, Deadline limit) {
    steps.run(work, limit.later(Deadline.after(LATE_WORK, end.ticker())));
  }

  private void tellConnections(Consumer<HttpConnection> what) {
    servers.forEach(server -> server.tell(what));
  }

  /**
   * Waits until no connection is owed an answer. As long as there are requests or responses to wait
   * for, that takes what it takes; without any, connections get their {@link #ROUNDS} and no more.
   *
   * @param wasIdle whether no request was left when the connections were told: those that run now
   *     have come since, and are waited for. Otherwise they had their time already
   */
  private boolean awaitConnections(boolean wasIdle) {
    BooleanSupplier ended = connectionsEnded();
    int rounds = 0;
    long left = GuardedServer.open(servers);
    while (!end.atMost(FirstRequest.PATIENCE).await(this, ended)) {
      if (!isIdle()) {
        if (!wasIdle) {
          return false;
        }
        if (!drainRequests()) {
          giveUp();
          return false;
        }
        // Whoever comes so late makes it likely that others are still on their way.
        rounds = 0;
      } else if (!isAnswering()) {
        long before = left;
        left = GuardedServer.open(servers);
        rounds = before - left > before / 10 && !end.hasPassed() ? 0 : rounds + 1;
      } else if (end.hasPassed()) {
        SafeLog.attempt(
            () ->
                log.warn(
                    "DRAIN timed out; responses still leave on some connections, or their event"
                        + " loop is blocked"));
        return false;
      }
      if (rounds == ROUNDS) {
        SafeLog.attempt(
            () -> log.info("DRAIN goes on without half-sent requests, or WebSockets being opened"));
        return true;
      }
      tellConnections(HttpConnection::closeIfIdle);
    }
    return true;
  }

  /** Returns what tells whether every server's have ended; the last one wakes this thread. */
  private BooleanSupplier connectionsEnded() {
    Thread waiter = Thread.currentThread();
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

  private boolean isAnswering() {
    return servers.stream().anyMatch(server -> server.answering() > 0);
  }
}
