package io.lastcall.sequence;

import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.StepReport;
import io.lastcall.report.StepReport.Result;
import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs steps: those of one order concurrently, lower orders first, each on a thread of its own and
 * with its deadline. A step that fails or is late is recorded and never stops the others.
 */
final class StepRunner {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** The longest message of an exception, in characters, that is logged as it is. */
  private static final int LONGEST_MESSAGE = 500;

  /** Causes looked at: a chain may have no end. */
  private static final int MOST_CAUSES = 20;

  private final Trigger trigger;
  private final Deadline start;
  private final Recorder recorder;
  private final Consumer<StepReport> onEnd;
  private final Set<RunningStep> running = ConcurrentHashMap.newKeySet();

  /**
   * @param start the moment of the trigger
   * @param onEnd called for every step as soon as it ends; must not block
   */
  StepRunner(Trigger trigger, Deadline start, Recorder recorder, Consumer<StepReport> onEnd) {
    this.onEnd = onEnd;
    this.trigger = trigger;
    this.start = start;
    this.recorder = recorder;
  }

  /**
   * Runs all of them; the calling thread waits. A step without a timeout of its own has its order's
   * share: what is left until the limit, divided evenly among the orders that are left, so that a
   * step that hangs does not take the time of later orders.
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
      Deadline share = limit.atMost(limit.remaining().dividedBy(ordersLeft));
      all &= runGroup(group, share, limit);
      ordersLeft--;
    }
    return all;
  }

  private boolean runGroup(List<Step> group, Deadline share, Deadline limit) {
    // The earliest deadline first, so that each step is interrupted at its own. Compared with a
    // fixed moment: what remains changes during the sort, and a sort may throw for that.
    long fixed = limit.nanos();
    List<RunningStep> started =
        group.stream()
            .map(step -> start(step, step.timeout().map(limit::atMost).orElse(share)))
            .sorted(Comparator.comparingLong(step -> step.planned - fixed))
            .toList();
    boolean all = true;
    for (RunningStep step : started) {
      StepReport report = step.await();
      recorder.add(report);
      log(report, step.stuckAt);
      running.remove(step);
      all &= report.result() == Result.COMPLETED;
    }
    return all;
  }

  private RunningStep start(Step step, Deadline deadline) {
    RunningStep runningStep = new RunningStep(step, trigger, start, deadline, onEnd);
    running.add(runningStep);
    runningStep.start();
    return runningStep;
  }

  private static void log(StepReport report, String stuckAt) {
    if (report.result() == Result.COMPLETED) {
      return;
    }
    boolean late = report.result() == Result.TIMED_OUT;
    String end = late ? "timed out after " + report.took().toMillis() + " ms" + stuckAt : "failed";
    ShutdownLog.write(
        () ->
            log.atWarn()
                .addKeyValue("phase", report.phase())
                .addKeyValue("step", report.name())
                .setCause(cause(report))
                .log("{} step '{}' {}", report.phase(), report.name(), end));
  }

  /** Returns the failure, or its text and stack if a message is too long for a log. */
  private static @Nullable Throwable cause(StepReport report) {
    @Nullable Throwable failure = report.failure().orElse(null);
    boolean tooLong =
        Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
            .limit(MOST_CAUSES)
            .map(cause -> String.valueOf(cause.getMessage()))
            .anyMatch(message -> message.length() > LONGEST_MESSAGE);
    if (failure == null || !tooLong) {
      return failure;
    }
    Throwable shown = new Throwable(report.failureText().orElse(""));
    shown.setStackTrace(failure.getStackTrace());
    return shown;
  }

  /** Returns the steps that run now. */
  Collection<RunningStep> running() {
    return List.copyOf(running);
  }
}
