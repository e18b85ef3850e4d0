package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.SafeLog;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;

/** One shutdown: the phases, in order, on the calling thread. */
final class Sequence implements PhaseRunner.Work {
  private final Logger log;
  private final Trigger trigger;
  private final Budget budget;
  private final Participants participants;
  private final GateControl gate;
  private final ConnectionControl connections;
  private final Recorder recorder;
  private final StepRunner steps;
  private final PhaseRunner phases;
  private final Notifier notifier;
  private final PropagationWait wait;
  private final Milestones milestones;

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
    steps = new StepRunner(log, trigger, budget.start(), recorder);
    phases = new PhaseRunner(log, budget.start(), recorder, notifier);
    this.notifier = notifier;
  }

  Optional<Phase> phase() {
    return phases.current();
  }

  RequestTotals requests() {
    return recorder.totals();
  }

  Duration budgetLeft() {
    return budget.halt().remaining();
  }

  /** Describes the steps and requests that run now. */
  String stuck(StuckReporter reporter) {
    return reporter.describe(steps.running(), gate);
  }

  /** Runs the phases; when it returns, nothing is left but the report and the exit. */
  void run() {
    begin();
    phases.run(Phase.KEEP_SERVING, this);
    propagated();
    phases.run(Phase.FAIL_READINESS, this);
    phases.run(Phase.DRAIN, this);
    phases.run(Phase.CLOSE_CONNECTIONS, this);
    phases.run(Phase.EXIT, this);
  }

  /** Behind {@link #run}. */
  ShutdownReport report(boolean exitCodeIsOurs) {
    return recorder.report(budget.plan(), trigger, budget.start().elapsed(), exitCodeIsOurs);
  }

  private void begin() {
    try {
      tellOfBeginning();
    } catch (Throwable t) {
      SafeLog.warn(log, "The beginning failed; KEEP_SERVING follows", t);
    }
    try {
      gate.leave(budget.start(), wait.closeRamp(budget.keepServing()));
    } catch (Throwable t) {
      // Makes nothing: the heap may be full. Without it arrivals would be timed from nowhere.
      gate.leave(budget.start(), Duration.ZERO);
      SafeLog.warn(log, "Every response says close at once; KEEP_SERVING follows", t);
    }
  }

  private void tellOfBeginning() {
    milestones.begun();
    notifier.start();
    notifier.tell(listener -> listener.began(trigger));
  }

  private void propagated() {
    try {
      milestones.propagated();
    } catch (Throwable t) {
      SafeLog.warn(log, "What waits for KEEP_SERVING was not told; FAIL_READINESS follows", t);
    }
  }

  /** Tells listeners of the end, and {@code last} behind them, until {@code end}. */
  void publish(ShutdownReport report, Consumer<ShutdownReport> last, Deadline end) {
    notifier.tell(listener -> listener.completed(report));
    if (!notifier.finish(() -> last.accept(report), end)) {
      SafeLog.attempt(
          () ->
              log.warn(
                  "The exit waits no longer for listeners and dependents of begin(); they are{}",
                  notifier.stuckAt()));
    }
  }

  @Override
  public Deadline end(Phase next) {
    return switch (next) {
      case KEEP_SERVING -> budget.keepServingEnd();
      case FAIL_READINESS -> budget.holdEnd();
      case DRAIN -> budget.drainEnd(isNothingToClose());
      case CLOSE_CONNECTIONS -> budget.closeEnd(!participants.steps(next).isEmpty());
      case EXIT -> budget.exitEnd();
    };
  }

  @Override
  public String describe(Phase next) {
    return switch (next) {
      case KEEP_SERVING -> trigger.reason();
      case FAIL_READINESS -> "policy " + budget.plan().readinessPolicy();
      case DRAIN -> counted(gate.gate().inFlight(), "request") + " in flight";
      case CLOSE_CONNECTIONS ->
          counted(connections.connections().open(), "long-lived connection") + " open";
      case EXIT -> counted(participants.servers().size(), "server") + " to stop";
    };
  }

  private static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }

  @Override
  public boolean completes(Phase now, Deadline end) {
    return switch (now) {
      case KEEP_SERVING -> keepServing(end);
      case FAIL_READINESS -> failReadiness(end);
      case DRAIN -> drain(end);
      case CLOSE_CONNECTIONS -> closeConnections(end);
      case EXIT -> stopServers(end);
    };
  }

  private boolean keepServing(Deadline end) {
    try {
      Beside beside = beside(Phase.KEEP_SERVING, budget.keepServingStepsEnd());
      Connections longLived = connections.connections();
      new KeepServing(log, budget, gate, longLived, participants.servers(), wait, end).run();
      return beside.await(budget.drainLatest());
    } catch (Throwable t) {
      SafeLog.warn(log, "KEEP_SERVING failed; routers get their time all the same", t);
      end.awaitPassed(this);
      return false;
    }
  }

  private boolean failReadiness(Deadline end) {
    try {
      if (budget.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
        milestones.readinessFailed();
      }
      Beside beside = beside(Phase.FAIL_READINESS, budget.holdStepsEnd());
      end.awaitPassed(this);
      return beside.await(budget.drainLatest());
    } catch (Throwable t) {
      SafeLog.warn(log, "FAIL_READINESS failed; health checks get their time all the same", t);
      end.awaitPassed(this);
      return false;
    }
  }

  private boolean isNothingToClose() {
    return connections.connections().open() == 0
        && participants.steps(Phase.CLOSE_CONNECTIONS).isEmpty();
  }

  private boolean drain(Deadline end) {
    boolean drained = false;
    try {
      recorder.startLate();
      Beside beside = beside(Phase.DRAIN, end);
      drained =
          new Drain(
                  log,
                  budget.plan(),
                  gate,
                  participants.servers(),
                  steps,
                  recorder,
                  end,
                  budget.drainLatest())
              .run();
      return beside.await(end) && drained;
    } catch (Throwable t) {
      SafeLog.warn(log, "DRAIN failed; what is in flight is waited for all the same", t);
      if (!drained) {
        awaitIdle(end);
      }
      return false;
    } finally {
      recorder.endDrain(drained);
    }
  }

  /** Tries again where even that fails. */
  private void awaitIdle(Deadline end) {
    boolean idle = false;
    while (!idle && !end.hasPassed()) {
      try {
        idle = gate.awaitIdle(end);
      } catch (Throwable t) {
        LockSupport.parkNanos(this, PhaseRunner.RETRY_NANOS);
      }
    }
  }

  private boolean closeConnections(Deadline end) {
    List<Step> closers = participants.steps(Phase.CLOSE_CONNECTIONS);
    return new CloseConnections(log, budget.plan(), connections, closers, steps, end).run();
  }

  private boolean stopServers(Deadline end) {
    List<Step> exits = new ArrayList<>(participants.steps(Phase.EXIT));
    for (GuardedServer server : participants.servers()) {
      exits.add(
          Step.of(Phase.EXIT, "stop " + server.name(), context -> server.stop(context.deadline())));
    }
    return steps.run(exits, end);
  }

  private Beside beside(Phase now, Deadline limit) {
    return steps.beside(now, participants.steps(now), limit);
  }
}
