package io.lastcall;

import io.lastcall.phase.Phase;
import io.lastcall.process.SafeLog;
import io.lastcall.report.PhaseReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Runs phases and records them. What fails in one, if only for want of memory, does not keep those
 * behind it from trying; and one that could not even begin is tried again, bounded by the halter.
 * So nothing here is made before it is guarded, not even a lambda.
 */
final class PhaseRunner {
  /** Between two tries. A constant: whoever reads it must not need this class, or any. */
  static final long RETRY_NANOS = 50_000_000;

  private final Logger log;
  private final Deadline start;
  private final Recorder recorder;
  private final Notifier notifier;

  private volatile @Nullable Phase current;

  /** What phases do. */
  interface Work {
    /** Returns when {@code next}, which begins now, is to end. */
    Deadline end(Phase next);

    /** Returns what there is to do in {@code next}, for the log. */
    String describe(Phase next);

    /** Does what is to be done in {@code now}; returns whether all of it was done in time. */
    boolean completes(Phase now, Deadline end);
  }

  /**
   * @param start the trigger
   */
  PhaseRunner(Logger log, Deadline start, Recorder recorder, Notifier notifier) {
    this.log = log;
    this.start = start;
    this.recorder = recorder;
    this.notifier = notifier;
  }

  /** Returns the phase that runs, or ran last. */
  Optional<Phase> current() {
    return Optional.ofNullable(current);
  }

  void run(Phase next, Work work) {
    current = next;
    Slot slot = slot(next, work);
    while (slot == null) {
      LockSupport.parkNanos(this, RETRY_NANOS);
      slot = slot(next, work);
    }
    announce(next, slot, work);
    boolean complete = completes(next, slot, work);
    record(next, slot, complete);
    // An adapter's, whose code has run on this thread: what follows is not to be hurried by it.
    Thread.interrupted();
  }

  /** When a phase began, and what it has. */
  private record Slot(Duration began, Deadline end, Duration planned) {}

  private @Nullable Slot slot(Phase next, Work work) {
    try {
      Deadline end = work.end(next);
      return new Slot(start.elapsed(), end, end.remaining());
    } catch (Throwable t) {
      SafeLog.warn(log, "A phase cannot begin yet; it is tried again", t);
      return null;
    }
  }

  private void announce(Phase next, Slot slot, Work work) {
    try {
      log(next, slot.planned(), work.describe(next));
    } catch (Throwable t) {
      // There is no better place to say it.
    }
    try {
      notifier.tell(listener -> listener.phaseStarted(next));
    } catch (Throwable t) {
      SafeLog.warn(log, "Listeners were not told of a phase", t);
    }
  }

  private void log(Phase next, Duration planned, String description) {
    log.atInfo()
        .addKeyValue("phase", next)
        .addKeyValue("planned_ms", planned.toMillis())
        .log("{} for up to {} ms: {}", next, planned.toMillis(), description);
  }

  private boolean completes(Phase now, Slot slot, Work work) {
    try {
      return work.completes(now, slot.end());
    } catch (Throwable t) {
      warn(now, t);
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

  private void record(Phase over, Slot slot, boolean complete) {
    try {
      Duration took = start.elapsed().minus(slot.began());
      PhaseReport report = new PhaseReport(over, slot.began(), slot.planned(), took, complete);
      recorder.add(report);
      notifier.tell(listener -> listener.phaseEnded(report));
    } catch (Throwable t) {
      SafeLog.warn(log, "A phase could not be recorded; the next one follows", t);
    }
  }
}
