package io.lastcall;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.process.SafeLog;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Runs steps: those of one order concurrently, lower orders first, each on a thread of its own and
 * with its deadline. A step that fails or is late is recorded and never stops the others.
 */
final class StepRunner {
  private final Logger log;
  private final Trigger trigger;
  private final Deadline start;
  private final Recorder recorder;
  private final Set<RunningStep> running = ConcurrentHashMap.newKeySet();

  /**
   * @param start the moment of the trigger
   */
  StepRunner(Logger log, Trigger trigger, Deadline start, Recorder recorder) {
    this.log = log;
    this.trigger = trigger;
    this.start = start;
    this.recorder = recorder;
  }

  /**
   * Runs them all; the calling thread waits. A step without a timeout of its own has its order's
   * share: what is left until the limit, divided evenly among the orders that are left.
   *
   * @return whether all completed in time
   */
  boolean run(Collection<Step> steps, Deadline limit) {
    TreeMap<Integer, List<Step>> byOrder =
        steps.stream()
            .collect(Collectors.groupingBy(Step::order, TreeMap::new, Collectors.toList()));
    boolean all = true;
    int ordersLeft = byOrder.size();
    for (List<Step> group : byOrder.values()) {
      // What hangs in one order must not take the time of those behind it.
      Deadline share = limit.atMost(limit.remaining().dividedBy(ordersLeft));
      all &= runGroup(group, share, limit);
      ordersLeft--;
    }
    return all;
  }

  private boolean runGroup(List<Step> group, Deadline share, Deadline limit) {
    List<RunningStep> started = new ArrayList<>();
    for (Step step : group) {
      Deadline deadline = step.timeout().map(limit::atMost).orElse(share);
      RunningStep runningStep = new RunningStep(step, trigger, start, deadline);
      started.add(runningStep);
      running.add(runningStep);
      runningStep.start();
    }
    // The earliest deadline first, so that each is interrupted at its own. Compared to a fixed
    // moment: what remains changes while the sort looks, and a sort may throw over that.
    started.sort(Comparator.comparingLong(step -> step.deadline().nanos() - limit.nanos()));
    boolean all = true;
    for (RunningStep step : started) {
      all &= awaitAndRecord(step);
    }
    return all;
  }

  private boolean awaitAndRecord(RunningStep step) {
    StepReport report = step.await();
    recorder.add(report);
    SafeLog.attempt(() -> log(step, report));
    running.remove(step);
    return report.result() == Result.COMPLETED;
  }

  private void log(RunningStep step, StepReport report) {
    switch (report.result()) {
      case COMPLETED -> {}
      case FAILED ->
          warning(report)
              .setCause(cause(report))
              .log("{} step '{}' failed", report.phase(), report.name());
      case TIMED_OUT ->
          warning(report)
              .setCause(cause(report))
              .log(
                  "{} step '{}' timed out after {} ms{}",
                  report.phase(),
                  report.name(),
                  report.took().toMillis(),
                  step.stuckAt());
    }
  }

  private static @Nullable Throwable cause(StepReport report) {
    return report
        .failure()
        .map(failure -> LoggedFailure.of(failure, report.failureText().orElse("")))
        .orElse(null);
  }

  private LoggingEventBuilder warning(StepReport report) {
    return log.atWarn().addKeyValue("phase", report.phase()).addKeyValue("step", report.name());
  }

  /**
   * Starts the steps of a phase beside what else the phase does.
   *
   * @return what to wait for
   */
  Beside beside(Phase phase, List<Step> steps, Deadline limit) {
    String name = "steps-" + phase;
    return steps.isEmpty()
        ? Beside.here(name, () -> true)
        : Beside.start(name, () -> run(steps, limit));
  }

  /** Ends those whose threads have called {@code System.exit}: they will not come back. */
  void spareExiting(Predicate<Thread> isExiting) {
    for (RunningStep step : running) {
      if (isExiting.test(step.thread())) {
        step.hasExited();
      }
    }
  }

  /** The steps that run now. */
  Collection<RunningStep> running() {
    return List.copyOf(running);
  }
}
