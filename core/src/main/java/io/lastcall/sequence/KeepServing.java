package io.lastcall.sequence;

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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * KEEP_SERVING: everything is served while routers learn that this process leaves, and clients are
 * asked to open their next connection elsewhere.
 */
final class KeepServing implements PhaseRun {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** In the last quarter of the phase, idle connections are closed one by one. */
  private static final int IDLE_CLOSE_DIVISOR = 4;

  private final ShutdownContext context;
  private final PropagationWait wait;

  KeepServing(ShutdownContext context) {
    this.context = context;
    wait = new PropagationWait(context.plan(), context.gate(), context.service().history());
  }

  @Override
  public Phase phase() {
    return Phase.KEEP_SERVING;
  }

  @Override
  public Deadline deadline() {
    return context.budget().keepServingEnd();
  }

  /** The shutdown's first line says how long it takes. */
  @Override
  public Optional<String> describe(Deadline end) {
    return Optional.empty();
  }

  @Override
  public boolean run(Deadline end) {
    Budget budget = context.budget();
    context.service().history().stop();
    WorkControl work = context.service().work();
    Deadline stepsEnd = budget.keepServingStepsEnd();
    ConcurrentTask sources = context.steps().start(Phase.KEEP_SERVING, work.stopTaking(), stepsEnd);
    context.gate().leave(budget.start(), wait.closeRamp(budget.keepServing()));
    ConcurrentTask steps = context.startSteps(Phase.KEEP_SERVING, stepsEnd);
    boolean uncounted = !end.hasPassed() && context.service().hasUncountedConnections();
    sendAway(end);
    findMistakes(uncounted && context.service().hasUncountedConnections());
    boolean stopped = sources.await(budget.drainLatest());
    return steps.await(budget.drainLatest()) && stopped;
  }

  @Override
  public void recover(Deadline end) {
    end.awaitPassed(this);
  }

  /**
   * With a part of the adapter forgotten, requests would be cut and the shutdown called clean.
   *
   * @param uncounted whether HTTP connections were open for the whole phase, and not one request
   *     was ever counted
   */
  private void findMistakes(boolean uncounted) {
    if (uncounted) {
      context
          .recorder()
          .addProblem(
              "HTTP connections were open, and not one request was ever counted: the filter or"
                  + " handler that counts them is not in place");
    }
    long counted = context.gate().started();
    if (counted > 0 && !context.service().registrations().hadServer()) {
      ShutdownLog.warn(
          log,
          "{} counted, and no server is registered: no listener is closed after its backlog, and"
              + " connections end with the process; register the server with"
              + " GracefulShutdown.server(...)",
          HangReport.counted(counted, "request"));
    }
  }

  /** Returns at the end, or earlier where silence shows that routers send elsewhere. */
  private void sendAway(Deadline end) {
    Budget budget = context.budget();
    Duration window = budget.keepServing();
    wait.begin(window);
    Deadline allMarked = budget.start().plus(wait.closeRamp(window)).earlier(end);
    spread(allMarked, () -> allMarked, HttpConnection::announce);
    if (end.hasPassed()) {
      return;
    }
    Deadline idleCloses = end.plus(window.dividedBy(IDLE_CLOSE_DIVISOR).negated());
    Optional<Duration> silence = wait.await(budget.start(), window, idleCloses);
    if (silence.isEmpty()) {
      spread(end, () -> earliestEnd(end), HttpConnection::closeIfIdle);
      silence = wait.await(budget.start(), window, end);
    }
    silence.ifPresent(
        known ->
            ShutdownLog.info(log, "KEEP_SERVING ends early: {} ms of silence", known.toMillis()));
  }

  private Deadline earliestEnd(Deadline end) {
    Budget budget = context.budget();
    return budget.start().plus(wait.earliest(budget.keepServing())).earlier(end);
  }

  /**
   * Acts on every open connection, spread over the time that is left until {@code last}.
   *
   * @param waitAtMost asked before each wait: connections that are left by then follow at once
   */
  private void spread(
      Deadline last, Supplier<Deadline> waitAtMost, Consumer<HttpConnection> action) {
    List<HttpConnection> open = new ArrayList<>();
    context.servers().forEach(server -> open.addAll(server.connections()));
    Pacer.spread(
        open,
        last.remaining(),
        waitAtMost,
        () -> false,
        connection -> GuardedServer.tell(connection, action));
  }
}
