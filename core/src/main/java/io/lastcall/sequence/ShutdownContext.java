package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;

/**
 * What the phases of one shutdown share.
 *
 * @param trigger what began the shutdown
 * @param budget the time
 * @param service what shuts down
 * @param recorder collects what happens
 * @param steps runs steps
 */
public record ShutdownContext(
    Trigger trigger, Budget budget, Service service, Recorder recorder, StepRunner steps) {

  /** 128 + SIGINT: what a shell expects of a program that a person has stopped. */
  private static final int INTERRUPTED_EXIT_CODE = 130;

  /**
   * Returns the context of a shutdown that begins now.
   *
   * @param notifier tells listeners of steps that end
   */
  public static ShutdownContext of(
      Trigger trigger, Budget budget, Service service, Notifier notifier) {
    Recorder recorder = new Recorder(service);
    StepRunner steps =
        new StepRunner(
            trigger,
            budget.start(),
            recorder,
            step -> notifier.tell(listener -> listener.stepEnded(step)));
    return new ShutdownContext(trigger, budget, service, recorder, steps);
  }

  /** Returns the plan. */
  public ShutdownPlan plan() {
    return budget.plan();
  }

  GateControl gate() {
    return service.gate();
  }

  List<GuardedServer> servers() {
    return service.registrations().servers();
  }

  /** Returns the steps of a phase that begins now, in which none can be added any more. */
  List<Step> beginSteps(Phase phase) {
    return service.registrations().begin(phase);
  }

  /** Starts the steps of a phase that begins now, concurrently with the phase's own work. */
  ConcurrentTask startSteps(Phase phase, Deadline limit) {
    return steps.start(phase, beginSteps(phase), limit);
  }

  /**
   * Returns the phases in their order.
   *
   * @param failReadiness makes readiness fail
   */
  public List<PhaseRun> phases(Runnable failReadiness) {
    return List.of(
        new KeepServing(this),
        new FailReadiness(this, failReadiness),
        new Drain(this),
        new CloseConnections(this),
        new StopServers(this));
  }

  /**
   * Returns the exit code of a clean shutdown: as set, or else 0. A process that no router knows, a
   * job for instance, was interrupted where a signal ended it: it exits as it would without this
   * library, since Kubernetes takes 0 for a job that is done.
   */
  int cleanExitCode() {
    boolean interrupted = !service.isRouted() && trigger.isSignal();
    if (!interrupted || !plan().value(Setting.CLEAN_EXIT_CODE).isDefault()) {
      return plan().cleanExitCode();
    }
    return trigger.kind() == Trigger.Kind.INTERRUPT
        ? INTERRUPTED_EXIT_CODE
        : ShutdownPlan.NOT_STARTED_EXIT_CODE;
  }

  /**
   * Returns whether routers still send here at the end of the propagation delay: a new connection
   * has come in its last eighth. New requests on older connections are no evidence: they follow
   * from our own {@code Connection: close}.
   */
  boolean routersStillSend() {
    Duration delay = budget.keepServing();
    Duration lastEighth = delay.multipliedBy(7).dividedBy(8);
    return !delay.isZero()
        && gate().lastConnection().filter(last -> last.compareTo(lastEighth) >= 0).isPresent();
  }
}
