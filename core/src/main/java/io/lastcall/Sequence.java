package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.connection.Pacer;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.SafeLog;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One shutdown: the phases, in order, on the calling thread. Each phase is guarded: whatever fails
 * in one, the next one runs.
 */
final class Sequence {
  /** In the last quarter of the window, connections that are idle are closed one by one. */
  private static final int IDLE_CLOSE_DIVISOR = 4;

  /** Long-lived connections are told to close at most this fast, unless the window is too short. */
  private static final Duration CLOSE_INTERVAL = Duration.ofMillis(2);

  private final Logger log;
  private final Trigger trigger;
  private final Budget budget;
  private final Participants participants;
  private final GateControl gate;
  private final ConnectionControl connections;
  private final Recorder recorder;
  private final TrafficRecorder traffic;
  private final StepRunner runner;
  private final Notifier notifier;
  private final PropagationWait wait;
  private final Milestones milestones;

  private volatile @Nullable Phase phase;

  Sequence(
      Logger log,
      Trigger trigger,
      Budget budget,
      Participants participants,
      GateControl gate,
      ConnectionControl connections,
      PropagationWait wait,
      Notifier notifier,
      Milestones milestones) {
    this.log = log;
    this.trigger = trigger;
    this.budget = budget;
    this.participants = participants;
    this.gate = gate;
    this.connections = connections;
    this.wait = wait;
    this.milestones = milestones;
    recorder = new Recorder(gate, connections);
    traffic = new TrafficRecorder(budget, gate, connections, participants.servers());
    runner = new StepRunner(log, trigger, budget.start(), recorder);
    this.notifier = notifier;
  }

  Optional<Phase> phase() {
    return Optional.ofNullable(phase);
  }

  RequestTotals requests() {
    return recorder.totals();
  }

  Duration budgetLeft() {
    return budget.halt().remaining();
  }

  /** Describes the steps and requests that run now. */
  String stuck() {
    return StuckReporter.describe(runner.running(), gate);
  }

  /** Runs the phases; when it returns, nothing is left but the exit. */
  ShutdownReport run() {
    milestones.begun();
    notifier.start();
    notifier.tell(listener -> listener.began(trigger));
    traffic.start();
    gate.leave(budget.start(), wait.closeRamp(budget.keepServing()));
    phase(Phase.KEEP_SERVING, budget.keepServingEnd(), this::keepServing);
    milestones.propagated();
    recorder.startLate();
    phase(Phase.FAIL_READINESS, budget.holdEnd(), this::failReadiness);
    phase(Phase.DRAIN, budget.drainEnd(isNothingToClose()), this::drain);
    phase(Phase.CLOSE_CONNECTIONS, budget.closeEnd(), this::closeConnections);
    phase(Phase.EXIT, budget.exitEnd(), this::stopServers);
    return recorder.report(budget.plan(), trigger, elapsed(), traffic.stop());
  }

  /** Tells listeners of the end, and {@code last} behind them, as long as EXIT has time. */
  void publish(ShutdownReport report, Consumer<ShutdownReport> last) {
    notifier.tell(listener -> listener.completed(report));
    notifier.finish(() -> last.accept(report), budget.exitEnd());
  }

  private void phase(Phase next, Deadline end, PhaseBody body) {
    phase = next;
    Duration began = elapsed();
    Duration planned = end.remaining();
    boolean complete = false;
    SafeLog.attempt(() -> log(next, planned));
    notifier.tell(listener -> listener.phaseStarted(next));
    try {
      complete = body.run(end);
    } catch (Throwable t) {
      // Also an OutOfMemoryError: the phases behind need not fail with it.
      SafeLog.warn(log, next + " failed; the next phase follows", t);
    }
    PhaseReport report = new PhaseReport(next, began, planned, elapsed().minus(began), complete);
    recorder.add(report);
    notifier.tell(listener -> listener.phaseEnded(report));
  }

  private void log(Phase next, Duration planned) {
    log.atInfo()
        .addKeyValue("phase", next)
        .addKeyValue("planned_ms", planned.toMillis())
        .log("{} for up to {} ms: {}", next, planned.toMillis(), describe(next));
  }

  private String describe(Phase next) {
    return switch (next) {
      case KEEP_SERVING -> trigger.reason();
      case FAIL_READINESS -> "policy " + budget.plan().readinessPolicy();
      case DRAIN -> gate.gate().inFlight() + " requests in flight";
      case CLOSE_CONNECTIONS -> connections.connections().open() + " long-lived connections open";
      case EXIT -> participants.servers().size() + " servers to stop";
    };
  }

  /** With the adapter's filter forgotten, requests would be cut, and the shutdown called clean. */
  private void warnIfNothingCounts() {
    int open = gate.started() > 0 ? 0 : openConnections().size();
    if (open > 0) {
      SafeLog.attempt(
          () ->
              log.warn(
                  "{} HTTP connections are open, and not one request was ever counted: if they bring"
                      + " any, the filter or handler that counts them is not in place",
                  open));
    }
  }

  private boolean keepServing(Deadline end) {
    warnIfNothingCounts();
    Deadline stepsEnd = budget.stepsEnd(end);
    Beside beside = beside(Phase.KEEP_SERVING, stepsEnd);
    Duration window = budget.keepServing();
    spread(budget.start().plus(wait.closeRamp(window)).earlier(end), HttpConnection::announce);
    if (!end.hasPassed()) {
      Deadline idleCloses = end.plus(window.dividedBy(IDLE_CLOSE_DIVISOR).negated());
      Optional<Duration> silence = wait.await(budget.start(), window, idleCloses);
      if (silence.isPresent()) {
        SafeLog.attempt(
            () -> log.info("KEEP_SERVING ends early: {} ms of silence", silence.get().toMillis()));
      } else {
        spread(end, HttpConnection::closeIfIdle);
        end.awaitPassed(this);
      }
    }
    return beside.await(budget.drainLatest());
  }

  /** Tells every open connection, spread over what is left until {@code end}. */
  private void spread(Deadline end, Consumer<HttpConnection> what) {
    Pacer.spread(
        openConnections(),
        end.remaining(),
        end,
        () -> false,
        connection -> Drain.tell(connection, what));
  }

  private List<HttpConnection> openConnections() {
    List<HttpConnection> open = new ArrayList<>();
    for (DrainableServer server : participants.servers()) {
      open.addAll(Drain.connections(server));
    }
    return open;
  }

  private boolean failReadiness(Deadline end) {
    if (budget.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
      milestones.readinessFailed();
    }
    Deadline stepsEnd = budget.stepsEnd(end);
    Beside beside = beside(Phase.FAIL_READINESS, stepsEnd);
    end.awaitPassed(this);
    return beside.await(budget.drainLatest());
  }

  private boolean isNothingToClose() {
    return connections.connections().open() == 0
        && participants.steps(Phase.CLOSE_CONNECTIONS).isEmpty();
  }

  private boolean drain(Deadline end) {
    Beside beside = beside(Phase.DRAIN, end);
    Drain drain = new Drain(log, budget.plan(), gate, participants.servers(), runner, end);
    try {
      boolean drained = drain.run();
      return beside.await(end) && drained;
    } finally {
      recorder.endDrain();
    }
  }

  /**
   * Connections first; where the user has closers too, connections leave them half the time. Half
   * of a connection's time is for its client's answer: the last one told needs it as the first did.
   */
  private boolean closeConnections(Deadline end) {
    ShutdownPlan plan = budget.plan();
    List<Step> closers = participants.steps(Phase.CLOSE_CONNECTIONS);
    Deadline closedBy = closers.isEmpty() ? end : end.plus(end.remaining().dividedBy(2).negated());
    Duration paced = CLOSE_INTERVAL.multipliedBy(connections.connections().open());
    Duration longest = least(plan.closeWindow(), closedBy.remaining().dividedBy(2));
    closeAll(least(paced, longest), closedBy);
    boolean ran = runner.run(closers, end);
    return ran && connections.connections().open() == 0;
  }

  /**
   * Beside this thread: a container may call the application within a close, which may then take
   * its time. At the deadline it gets a moment to end by itself.
   */
  private void closeAll(Duration window, Deadline deadline) {
    BooleanSupplier body = () -> connections.closeAll(window, deadline);
    Beside closing =
        connections.connections().open() == 0
            ? Beside.here("closer", body)
            : Beside.start("closer", body);
    closing.await(deadline);
    if (!closing.isDone() && !connections.isEveryoneTold()) {
      SafeLog.attempt(
          () ->
              log.warn(
                  "CLOSE_CONNECTIONS goes on: telling a connection to close does not end; it is{}",
                  StuckReporter.stack(closing.thread())));
    }
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private boolean stopServers(Deadline end) {
    List<Step> exits = new ArrayList<>(participants.steps(Phase.EXIT));
    for (DrainableServer server : participants.servers()) {
      exits.add(
          Step.of(
              Phase.EXIT,
              "stop " + Drain.name(server),
              context -> server.stop(context.deadline())));
    }
    return runner.run(exits, end);
  }

  private Beside beside(Phase now, Deadline limit) {
    return runner.beside(now, participants.steps(now), limit);
  }

  private Duration elapsed() {
    return budget.start().elapsed();
  }

  /** Returns whether all of it was done in time. */
  @FunctionalInterface
  private interface PhaseBody {
    boolean run(Deadline end);
  }
}
