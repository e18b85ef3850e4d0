package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.InFlightRequest;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.report.WorkReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Collects what happens, and makes the report of it. Thread-safe. */
final class Recorder {
  /** Requests that DRAIN left behind and the report names. */
  private static final int MOST_UNFINISHED = 100;

  private final Instant began = Instant.now();
  private final Service service;
  private final GateControl gate;
  private final long finishedBefore;
  private volatile long startedInTime = Long.MAX_VALUE;
  private volatile @Nullable RequestTotals drained;
  private volatile List<InFlightRequest> unfinished = List.of();
  private boolean workEnded;
  private final List<PhaseReport> phases = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<StepReport> steps = new CopyOnWriteArrayList<>();

  Recorder(Service service) {
    this.service = service;
    gate = service.gate();
    finishedBefore = gate.finished();
  }

  /** Returns when the shutdown began, by the wall clock: for people who read the log. */
  Instant began() {
    return began;
  }

  /** From now on requests count as late. */
  void startLate() {
    startedInTime = gate.started();
  }

  /**
   * Requests that run now are abandoned: whether they still finish is chance. The first call
   * counts.
   *
   * @param idle whether the gate and all work were idle after they had been closed: entries that
   *     are still counted are refusals in progress then, and do not run
   */
  void endDrain(boolean idle) {
    if (drained != null) {
      return;
    }
    RequestTotals now = requests();
    long abandoned = idle ? 0 : now.abandoned();
    drained = now.abandoned(abandoned);
    if (!idle) {
      unfinished = service.inProgress().running().stream().limit(MOST_UNFINISHED).toList();
    }
  }

  /** Returns whether work goes on: {@link #endWork} was not called. */
  synchronized boolean isWorkOpen() {
    return !workEnded;
  }

  /**
   * Work that is open now is abandoned. The first call counts.
   *
   * @param idle as in {@link #endDrain}
   */
  synchronized void endWork(boolean idle) {
    if (!workEnded) {
      workEnded = true;
      service.work().endReport(idle);
      if (!idle && unfinished.isEmpty()) {
        unfinished = service.work().running().stream().limit(MOST_UNFINISHED).toList();
      }
    }
  }

  void add(PhaseReport phase) {
    phases.add(phase);
  }

  void add(StepReport step) {
    steps.add(step);
  }

  /** Adds something that makes the shutdown incomplete, in words. */
  void addProblem(String problem) {
    problems.add(problem);
  }

  /**
   * Returns the requests so far. None counts as abandoned until DRAIN has ended; after that only
   * refusals and the last arrivals change.
   */
  RequestTotals totals() {
    RequestTotals now = requests();
    RequestTotals then = drained;
    if (then == null) {
      return now.abandoned(0);
    }
    return new RequestTotals(
        then.served(),
        then.late(),
        now.refused(),
        then.abandoned(),
        then.abandonedByClients(),
        now.lastArrival(),
        now.lastConnection());
  }

  /** Returns the report of a shutdown whose phases have ended. */
  ShutdownReport report(ShutdownContext context, boolean exitCodeIsOurs) {
    endDrain(false); // where DRAIN could not even begin
    endWork(false);
    List<WorkReport> work = service.work().reports();
    List<PhaseReport> allPhases = List.copyOf(phases);
    List<StepReport> allSteps = List.copyOf(steps); // a step that is late still adds itself
    RequestTotals requests = totals();
    long open = service.open();
    List<String> allProblems = new ArrayList<>(problems);
    allProblems.addAll(service.work().problems());
    allProblems.addAll(service.connections().sessions().lost());
    boolean clean =
        requests.abandoned() == 0
            && work.stream().allMatch(each -> each.abandoned() + each.refused() == 0)
            && allProblems.isEmpty()
            && open == 0
            && allPhases.size() == Phase.values().length
            && allPhases.stream().allMatch(PhaseReport::complete)
            && allSteps.stream().allMatch(step -> step.result() == Result.COMPLETED);
    return ShutdownReport.builder(context.plan(), context.trigger())
        .time(began, context.budget().start().elapsed())
        .phases(allPhases, allSteps)
        .requests(requests, unfinished)
        // By a coarse server others may have come.
        .lastClient(context.hasCoarseServer() ? Optional.empty() : gate.lastClient())
        .connections(service.connections().ended(), open)
        .work(work, service.work().handedBack(), service.work().dropped())
        .finishedSources(service.work().finishedSources())
        .problems(allProblems)
        .exit(outcome(clean), exitCode(context, clean), exitCodeIsOurs)
        .build();
  }

  private Outcome outcome(boolean clean) {
    if (!service.work().handedBack().isEmpty()) {
      return Outcome.HANDED_BACK;
    }
    return clean ? Outcome.CLEAN : Outcome.INCOMPLETE;
  }

  /** Work that was handed back is not done: no supervisor may take the process for complete. */
  private int exitCode(ShutdownContext context, boolean clean) {
    if (!service.work().handedBack().isEmpty()) {
      return ShutdownPlan.HANDED_BACK_EXIT_CODE;
    }
    return clean ? cleanExitCode(context) : ShutdownPlan.INCOMPLETE_EXIT_CODE;
  }

  /**
   * Returns the exit code of a clean shutdown: as set, or else 0. A process that no router knows, a
   * job for instance, was interrupted where a signal ended it: it exits as it would without this
   * library, since Kubernetes takes 0 for a job that is done.
   */
  private int cleanExitCode(ShutdownContext context) {
    ShutdownPlan plan = context.plan();
    boolean interrupted = !context.budget().routed() && context.trigger().isSignal();
    if (!interrupted || !plan.value(Setting.CLEAN_EXIT_CODE).isDefault()) {
      return plan.cleanExitCode();
    }
    return context.trigger().kind() == Trigger.Kind.INTERRUPT
        ? ShutdownPlan.INTERRUPTED_EXIT_CODE
        : ShutdownPlan.NOT_STARTED_EXIT_CODE;
  }

  /**
   * A request that comes between the two sums counts as running, even if it has ended by the
   * second: there may be too many, never too few.
   */
  private RequestTotals requests() {
    long finished = gate.finished();
    long started = gate.started();
    long refused = gate.refused();
    long late = Math.max(0, started - startedInTime - refused);
    long gone = gate.abandonedByClients();
    long served = Math.max(0, finished - finishedBefore - refused - gone);
    return new RequestTotals(
        served, late, refused, started - finished, gone, gate.lastArrival(), gate.lastConnection());
  }
}
