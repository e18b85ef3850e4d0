package io.lastcall.sequence;

import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.phase.Trigger;
import io.lastcall.process.Threads;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step on its thread. Its own end or its deadline, whichever is first, decides its result. */
final class RunningStep {
  final Step step;
  final Deadline deadline;

  /** The deadline as it was at the start, since it may move while others are compared with it. */
  final long planned;

  private final Trigger trigger;
  private final Deadline started;
  private final Duration began;
  private final Consumer<StepReport> onEnd;
  private volatile @Nullable StepReport report;
  private final ConcurrentTask task;

  /** Where the step was when it was interrupted; for the thread that called {@link #await}. */
  String stuckAt = "";

  /**
   * @param start the moment of the trigger
   * @param deadline when the step is interrupted
   * @param onEnd called once, as soon as the step ends or times out; must not block
   */
  RunningStep(
      Step step, Trigger trigger, Deadline start, Deadline deadline, Consumer<StepReport> onEnd) {
    this.step = step;
    this.onEnd = onEnd;
    began = start.elapsed();
    started = start.plus(began);
    this.deadline = deadline;
    planned = deadline.nanos();
    this.trigger = trigger;
    task = new ConcurrentTask("step-" + step.name(), this::execute);
  }

  void start() {
    task.start(false);
  }

  /** Returns the thread that runs the step. */
  Thread thread() {
    return task.thread();
  }

  private boolean execute() {
    try {
      step.action().run(new StepContext(step.phase(), trigger, deadline));
      settle(Result.COMPLETED, Optional.empty());
    } catch (Throwable failure) {
      // After its deadline a failure counts as late, since our interrupt may have caused it.
      settle(deadline.hasPassed() ? Result.TIMED_OUT : Result.FAILED, Optional.of(failure));
    }
    return true;
  }

  /** Waits until the step ends, at most until its deadline; then interrupts it. */
  StepReport await() {
    // The step may end at this very moment: the report that is set first counts.
    if (!deadline.await(step, () -> report != null) && settle(Result.TIMED_OUT, Optional.empty())) {
      String stack = Threads.stack(thread()); // before the interrupt, which moves the step on
      stuckAt = thread().isAlive() ? " and was interrupted; it was" + stack : "";
      thread().interrupt();
    }
    return Objects.requireNonNull(report);
  }

  /**
   * Notifies listeners before {@code report} is set, so that they hear of this step before anything
   * that waits for it.
   */
  private synchronized boolean settle(Result result, Optional<Throwable> failure) {
    if (report != null) {
      return false;
    }
    StepReport end =
        new StepReport(
            step.phase(), step.name(), step.order(), began, started.elapsed(), result, failure);
    onEnd.accept(end);
    report = end;
    return true;
  }
}
