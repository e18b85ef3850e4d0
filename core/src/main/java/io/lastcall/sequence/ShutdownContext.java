package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** One shutdown: what its phases share, and the loop that runs them. */
public record ShutdownContext(
    Trigger trigger, Budget budget, Service service, Recorder recorder, StepRunner steps) {

  /** Prepares the log for a shutdown, at install(). */
  public static void prepare() {
    ShutdownLog.keep();
    ShutdownLog.write(FirstLine::prepare);
  }

  /**
   * Begins a shutdown: stops the sources of work, and logs the first line.
   *
   * @param plans the plan that counts now: it may become a shorter one
   * @param started whether start-up was over: before that no router sends requests here
   * @param start the moment of the trigger
   */
  public static ShutdownContext begin(
      Supplier<ShutdownPlan> plans,
      Trigger trigger,
      boolean started,
      Deadline start,
      Service service) {
    Budget budget =
        new Budget(plans, trigger.kind(), start, started && service.isRouted(), started);
    // First: a source takes on until it is stopped, and what follows loads classes.
    service.work().requestStop(budget.drainLatest());
    Recorder recorder = new Recorder(service);
    Notifier notifier = service.registrations().notifier();
    StepRunner steps =
        new StepRunner(
            trigger,
            start,
            recorder,
            step -> notifier.notifyListeners(listener -> listener.stepEnded(step)));
    ShutdownContext context = new ShutdownContext(trigger, budget, service, recorder, steps);
    FirstLine.log(context);
    return context;
  }

  /** Runs the five phases on the calling thread. */
  public void runPhases(Watch watch, Endpoint endpoint) {
    service.pools().leave();
    List<PhaseRun> phases =
        List.of(
            new KeepServing(this),
            new FailReadiness(this, endpoint),
            new Drain(this),
            new CloseConnections(this),
            new Exit(this));
    for (PhaseRun phase : phases) {
      watch.phaseBegins(phase.phase, Deadline.after(Duration.ZERO, budget.start().ticker()));
      phase.execute(endpoint);
    }
  }

  /** Returns the report of a shutdown whose phases have ended. */
  public ShutdownReport report(boolean exitCodeIsOurs) {
    return recorder.report(this, exitCodeIsOurs);
  }

  /** Returns the requests so far. */
  public RequestTotals totals() {
    return recorder.totals();
  }

  /** Returns when the process is halted. */
  public Deadline halt() {
    return budget.halt();
  }

  /** Returns when report, listeners and log are not waited for any longer. */
  public Deadline publishEnd() {
    return budget.publishEnd();
  }

  /** Returns when the probes' extensions are not waited for any longer. */
  public Deadline probesEnd() {
    return budget.probesEnd();
  }

  ShutdownPlan plan() {
    return budget.plan();
  }

  Notifier notifier() {
    return service.registrations().notifier();
  }

  GateControl gate() {
    return service.gate();
  }

  List<GuardedServer> servers() {
    return service.registrations().servers();
  }

  /**
   * Returns the steps that stop servers' listening: of those that list their connections, or not.
   */
  List<Step> stopListening(Phase phase, boolean listed) {
    return servers().stream()
        .filter(server -> server.listsConnections() == listed && !server.stopsListening())
        .map(server -> server.stopListening(phase))
        .toList();
  }

  /** Returns whether a server has the coarse role: its idle connections cannot be closed. */
  boolean hasCoarseServer() {
    return servers().stream().anyMatch(server -> !server.listsConnections());
  }

  /** Returns whether steps of CLOSE_CONNECTIONS are registered. */
  boolean hasClosers() {
    return !service.registrations().steps(Phase.CLOSE_CONNECTIONS).isEmpty();
  }

  /** Returns the steps of a phase that begins now, in which none can be added any more. */
  List<Step> beginSteps(Phase phase) {
    return service.registrations().begin(phase);
  }

  /** Starts the steps of a phase that begins now, concurrently with the phase's own work. */
  ConcurrentTask startSteps(Phase phase, Deadline limit) {
    return startSteps("steps-" + phase, beginSteps(phase), limit);
  }

  /** Starts some steps concurrently with the phase's own work. */
  ConcurrentTask startSteps(String name, List<Step> some, Deadline limit) {
    return ConcurrentTask.start(name, some.isEmpty(), () -> steps.run(some, limit));
  }
}
