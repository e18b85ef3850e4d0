package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.PhaseReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One phase of one shutdown, run by the shutdown's thread. */
abstract class PhaseRun {
  static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  final Phase phase;
  final ShutdownContext context;

  PhaseRun(Phase phase, ShutdownContext context) {
    this.phase = phase;
    this.context = context;
  }

  /** Returns when the phase must end. Asked when it begins, since its timeout counts from then. */
  abstract Deadline deadline();

  /** Returns the log's line about what the phase is about to do, if that is worth a line. */
  Optional<String> describe(Deadline end) {
    return Optional.empty();
  }

  /** Runs the phase's work; returns whether all of it was done in time. */
  abstract boolean run(Deadline end);

  /** Replaces the rest of {@link #run} if that failed: requests still get their time. */
  void recover(Deadline end) {}

  /** Runs the phase. A failure is logged, and the next phase follows at this one's end. */
  final void execute(Endpoint endpoint) {
    Notifier notifier = context.notifier();
    Deadline start = context.budget().start();
    Duration began = start.elapsed();
    Deadline end = start.plus(began);
    Duration planned = Duration.ZERO;
    boolean complete = false;
    try {
      end = deadline();
      planned = end.remaining();
      announce(end, planned);
      notifier.notifyListeners(listener -> listener.phaseStarted(phase));
      complete = run(end);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "{} failed; the next phase follows in its time", phase, t);
      recover(end);
    }
    PhaseReport report =
        new PhaseReport(phase, began, planned, start.elapsed().minus(began), complete);
    context.recorder().add(report);
    notifier.notifyListeners(listener -> listener.phaseEnded(report));
    try {
      endpoint.phaseEnded(phase);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "The end of {} was not announced", phase, t);
    }
    Thread.interrupted(); // an adapter, whose code has run on this thread, may have set the flag
  }

  private void announce(Deadline end, Duration planned) {
    ShutdownLog.debug(log, "{} for up to {} ms", phase, planned.toMillis());
    describe(end).ifPresent(line -> ShutdownLog.write(() -> log(planned, line)));
  }

  private void log(Duration planned, String line) {
    log.atInfo()
        .addKeyValue("phase", phase)
        .addKeyValue("planned_ms", planned.toMillis())
        .log("{}", line);
  }
}
