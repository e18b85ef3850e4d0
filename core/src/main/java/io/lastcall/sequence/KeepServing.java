package io.lastcall.sequence;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.connection.HttpConnection;
import io.lastcall.connection.Pacer;
import io.lastcall.phase.Phase;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import io.lastcall.work.WorkControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * KEEP_SERVING: everything is served while routers learn that this process leaves, and clients are
 * asked to open their next connection elsewhere.
 */
final class KeepServing extends PhaseRun {
  /** In the last quarter of the phase, or of its ramp, idle connections are closed one by one. */
  private static final int IDLE_CLOSE_DIVISOR = 4;

  private final Budget budget;
  private final PropagationWait wait;

  KeepServing(ShutdownContext context) {
    super(Phase.KEEP_SERVING, context);
    budget = context.budget();
    wait = new PropagationWait(budget, context.gate(), context.service().history());
  }

  @Override
  Deadline deadline() {
    return budget.keepServingEnd();
  }

  @Override
  boolean run(Deadline end) {
    context.service().history().stop();
    WorkControl work = context.service().work();
    Deadline stepsEnd = budget.keepServingStepsEnd();
    ConcurrentTask sources = context.startSteps("sources", work.stopTaking(), stepsEnd);
    // A coarse server cannot close idle connections: every response says close from the start.
    wait.markResponses(context.hasCoarseServer());
    ConcurrentTask steps = context.startSteps(phase, stepsEnd);
    boolean uncounted = !end.hasPassed() && context.service().hasUncountedConnections();
    sendAway(end);
    reportUncounted(uncounted && context.service().hasUncountedConnections());
    boolean stopped = sources.await(budget.drainLatest());
    return steps.await(budget.drainLatest()) && stopped;
  }

  /** Requests would be cut, and the shutdown called clean. */
  private void reportUncounted(boolean suspected) {
    boolean nothingCounted = context.gate().started() == 0 && !context.gate().sawProbe();
    boolean doubted = context.service().registrations().isCountingDoubted();
    if (suspected || (doubted && nothingCounted)) {
      context
          .recorder()
          .addProblem(
              "HTTP connections were open, and not one request was ever counted: the filter or"
                  + " handler that counts them is not in place");
    }
    for (GuardedServer server : context.servers()) {
      if (server.counting() == Counting.MISSING) {
        context
            .recorder()
            .addProblem(
                server.name()
                    + " had no filter or handler that counts its requests: none of them was"
                    + " drained");
      }
    }
  }

  @Override
  void recover(Deadline end) {
    end.awaitPassed(this);
  }

  /** Returns at the end, or earlier where silence shows that routers send elsewhere. */
  private void sendAway(Deadline end) {
    wait.begin();
    Deadline allMarked = ramp(IDLE_CLOSE_DIVISOR).earlier(end);
    boolean early = wait.closesIdleEarly();
    Deadline announced = early ? ramp(IDLE_CLOSE_DIVISOR - 1).earlier(end) : allMarked;
    spread(announced, () -> announced, (server, open) -> server.announceClose(open, false));
    if (early) {
      var unused = wait.await(announced);
      // Or their next requests would put the silence off, which says nothing about routers.
      spread(
          allMarked,
          () -> allMarked,
          (server, open) -> server.call(open, HttpConnection::closeIfIdleAndUnannounced));
    }
    if (end.hasPassed()) {
      return;
    }
    Duration idleClosing = budget.keepServing().dividedBy(IDLE_CLOSE_DIVISOR);
    Optional<Duration> silence = wait.await(end.plus(idleClosing.negated()));
    if (silence.isEmpty()) {
      spread(
          end,
          () -> wait.earliest().earlier(end),
          (server, open) -> server.call(open, HttpConnection::closeIfIdle));
      silence = wait.await(end);
    }
    silence.ifPresent(
        known ->
            ShutdownLog.info(log, "KEEP_SERVING ends early: {} ms of silence", known.toMillis()));
  }

  /** Returns when so many quarters of the ramp are over, by whose end every response says close. */
  private Deadline ramp(int quarters) {
    Deadline start = budget.start();
    return Deadline.movable(
        start.ticker(),
        () ->
            start
                .plus(wait.closeRamp().multipliedBy(quarters).dividedBy(IDLE_CLOSE_DIVISOR))
                .nanos());
  }

  /**
   * Acts on every open connection, spread over the time that is left until {@code last}.
   *
   * @param waitAtMost asked before each wait: connections that are left by then follow at once
   */
  private void spread(
      Deadline last,
      Supplier<Deadline> waitAtMost,
      BiConsumer<GuardedServer, HttpConnection> action) {
    List<Runnable> calls = new ArrayList<>();
    for (GuardedServer server : context.servers()) {
      server.connections().forEach(open -> calls.add(() -> action.accept(server, open)));
    }
    Pacer.spread(calls, last.remaining(), waitAtMost, () -> false, Runnable::run);
  }
}
