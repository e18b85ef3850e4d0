package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.SafeLog;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.Traffic;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One shutdown: the phases, in order, on the calling thread. Each phase is guarded: whatever fails
 * in one, the next one runs.
 */
final class Sequence {
  /** Between two tries. A constant: whoever reads it must not need this class, or any. */
  static final long RETRY_NANOS = 50_000_000;

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

  /** Nothing waits for the steps any more that have called {@code System.exit}. */
  void spareExiting(Predicate<Thread> isExiting) {
    runner.spareExiting(isExiting);
  }

  /** Runs the phases; when it returns, nothing is left but the report and the exit. */
  void run() {
    begin();
    phase(Phase.KEEP_SERVING);
    propagated();
    phase(Phase.FAIL_READINESS);
    phase(Phase.DRAIN);
    phase(Phase.CLOSE_CONNECTIONS);
    phase(Phase.EXIT);
  }

  /** Behind {@link #run}. */
  ShutdownReport report(boolean exitCodeIsOurs) {
    Traffic recorded = traffic.stop();
    return recorder.report(budget.plan(), trigger, elapsed(), recorded, exitCodeIsOurs);
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
      SafeLog.warn(log, "Responses do not say close before DRAIN; KEEP_SERVING follows", t);
    }
  }

  private void tellOfBeginning() {
    milestones.begun();
    notifier.start();
    notifier.tell(listener -> listener.began(trigger));
    traffic.start();
  }

  private void propagated() {
    try {
      milestones.propagated();
      recorder.startLate();
    } catch (Throwable t) {
      SafeLog.warn(log, "What waits for KEEP_SERVING was not told; FAIL_READINESS follows", t);
    }
  }

  /**
   * Tells listeners of the end, and {@code last} behind them, as long as there is time for that.
   */
  void publish(ShutdownReport report, Consumer<ShutdownReport> last) {
    notifier.tell(listener -> listener.completed(report));
    notifier.finish(() -> last.accept(report), budget.publishEnd());
  }

  /**
   * What fails in a phase, if only for want of memory, does not keep the phases behind it from
   * trying; and one that could not even begin is tried again, bounded by the halter. So nothing
   * here is made before it is guarded, not even a lambda.
   */
  private void phase(Phase next) {
    phase = next;
    Slot slot = slot(next);
    while (slot == null) {
      LockSupport.parkNanos(this, RETRY_NANOS);
      slot = slot(next);
    }
    announce(next, slot);
    boolean complete = completes(next, slot.end());
    record(next, slot, complete);
    // An adapter's, whose code has run on this thread: what follows is not to be hurried by it.
    Thread.interrupted();
  }

  /** When a phase began, and what it has. */
  private record Slot(Duration began, Deadline end, Duration planned) {}

  private @Nullable Slot slot(Phase next) {
    try {
      Deadline end = end(next);
      return new Slot(elapsed(), end, end.remaining());
    } catch (Throwable t) {
      SafeLog.warn(log, "A phase cannot begin yet; it is tried again", t);
      return null;
    }
  }

  private void announce(Phase next, Slot slot) {
    try {
      log(next, slot.planned());
    } catch (Throwable t) {
      // There is no better place to say it.
    }
    try {
      notifier.tell(listener -> listener.phaseStarted(next));
    } catch (Throwable t) {
      SafeLog.warn(log, "Listeners were not told of a phase", t);
    }
  }

  private void record(Phase next, Slot slot, boolean complete) {
    try {
      PhaseReport report =
          new PhaseReport(
              next, slot.began(), slot.planned(), elapsed().minus(slot.began()), complete);
      recorder.add(report);
      notifier.tell(listener -> listener.phaseEnded(report));
    } catch (Throwable t) {
      SafeLog.warn(log, "A phase could not be recorded; the next one follows", t);
    }
  }

  private Deadline end(Phase next) {
    return switch (next) {
      case KEEP_SERVING -> budget.keepServingEnd();
      case FAIL_READINESS -> budget.holdEnd();
      case DRAIN -> budget.drainEnd(isNothingToClose());
      case CLOSE_CONNECTIONS -> budget.closeEnd();
      case EXIT -> budget.exitEnd();
    };
  }

  /** Returns whether all of it was done in time. */
  private boolean completes(Phase next, Deadline end) {
    try {
      return switch (next) {
        case KEEP_SERVING -> keepServing(end);
        case FAIL_READINESS -> failReadiness(end);
        case DRAIN -> drain(end);
        case CLOSE_CONNECTIONS -> closeConnections(end);
        case EXIT -> stopServers(end);
      };
    } catch (Throwable t) {
      warn(next, t);
      return false;
    }
  }

  /** Even the message may not be had. */
  private void warn(Phase failed, Throwable failure) {
    try {
      SafeLog.warn(log, failed + " failed; the next phase follows", failure);
    } catch (Throwable unsaid) {
      // There is no better place to say it.
    }
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

  private boolean keepServing(Deadline end) {
    try {
      Beside beside = beside(Phase.KEEP_SERVING, budget.stepsEnd(end));
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
    if (budget.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
      milestones.readinessFailed();
    }
    Beside beside = beside(Phase.FAIL_READINESS, budget.stepsEnd(end));
    end.awaitPassed(this);
    return beside.await(budget.drainLatest());
  }

  private boolean isNothingToClose() {
    return connections.connections().open() == 0
        && participants.steps(Phase.CLOSE_CONNECTIONS).isEmpty();
  }

  private boolean drain(Deadline end) {
    boolean drained = false;
    try {
      Beside beside = beside(Phase.DRAIN, end);
      drained =
          new Drain(log, budget.plan(), gate, participants.servers(), runner, recorder, end).run();
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
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  private boolean closeConnections(Deadline end) {
    List<Step> closers = participants.steps(Phase.CLOSE_CONNECTIONS);
    return new CloseConnections(log, budget.plan(), connections, closers, runner, end).run();
  }

  private boolean stopServers(Deadline end) {
    List<Step> exits = new ArrayList<>(participants.steps(Phase.EXIT));
    for (GuardedServer server : participants.servers()) {
      exits.add(
          Step.of(Phase.EXIT, "stop " + server.name(), context -> server.stop(context.deadline())));
    }
    return runner.run(exits, end);
  }

  private Beside beside(Phase now, Deadline limit) {
    return runner.beside(now, participants.steps(now), limit);
  }

  private Duration elapsed() {
    return budget.start().elapsed();
  }
}
