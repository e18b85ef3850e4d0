package io.lastcall.sequence;

import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.phase.Trigger;
import io.lastcall.process.LogContext;
import io.lastcall.process.Threads;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A step on its thread. Its own end or its deadline, whichever is first, says how it ended. */
final class RunningStep {
  private final Step step;
  private final StepContext context;
  private final Thread waiter = Thread.currentThread();
  private final Thread thread;
  private final Deadline started;
  private final Duration began;
  private final Consumer<StepReport> onEnd;
  private final AtomicReference<@Nullable StepReport> report = new AtomicReference<>();
  private volatile Thread runner;
  private String stuckAt = "";

  /**
   * @param start the moment of the trigger
   * @param deadline when it is interrupted
   * @param onEnd told once, as soon as it ends or times out; must not block
   */
  RunningStep(
      Step step, Trigger trigger, Deadline start, Deadline deadline, Consumer<StepReport> onEnd) {
    this.step = step;
    this.onEnd = onEnd;
    began = start.elapsed();
    started = Deadline.after(Duration.ZERO, deadline.ticker());
    context = new StepContext(step.phase(), trigger, deadline);
    thread = Threads.daemon("step-" + step.name(), LogContext.current().around(this::execute));
    runner = thread;
  }

  /** Starts it; runs it on the calling thread if the process can have no other. */
  void start() {
    if (!Threads.start(thread)) {
      runner = Thread.currentThread();
      execute();
    }
  }

  private void execute() {
    try {
      step.action().run(context);
      settle(Result.COMPLETED, Optional.empty());
    } catch (Throwable failure) {
      // Errors too: a step must not end the sequence. After its deadline a failure counts as late,
      // since our interrupt may have caused it.
      settle(deadline().hasPassed() ? Result.TIMED_OUT : Result.FAILED, Optional.of(failure));
    }
    LockSupport.unpark(waiter);
  }

  /** Waits for its end, at most until its deadline; then interrupts it and goes on. */
  StepReport await() {
    // The step may end in this very moment.
    if (!deadline().await(step, () -> report.get() != null)
        && settle(Result.TIMED_OUT, Optional.empty())) {
      // Before the interrupt, which moves it from where it hung.
      String stack = Threads.stack(thread);
      stuckAt = thread.isAlive() ? " and was interrupted; it was" + stack : "";
      thread.interrupt();
    }
    return Objects.requireNonNull(report.get());
  }

  private boolean settle(Result result, Optional<Throwable> failure) {
    StepReport end =
        new StepReport(
            step.phase(), step.name(), step.order(), began, started.elapsed(), result, failure);
    boolean first = report.compareAndSet(null, end);
    if (first) {
      onEnd.accept(end);
    }
    return first;
  }

  Deadline deadline() {
    return context.deadline();
  }

  String name() {
    return step.name();
  }

  /** The thread that runs it. */
  Thread thread() {
    return runner;
  }

  /** Where it was when it was interrupted, if it was; read by the thread that called await. */
  String stuckAt() {
    return stuckAt;
  }
}
