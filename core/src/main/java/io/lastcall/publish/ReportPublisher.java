package io.lastcall.publish;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.time.Deadline;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Leaves records of the shutdown: in the log, in the termination message and, if wanted, in a file.
 * A record that cannot be written delays neither the others nor the exit.
 */
public final class ReportPublisher {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final String HALTED =
      "Shutdown HALTED at the deadline, exit code " + ShutdownPlan.HALTED_EXIT_CODE + ": ";

  private final StatusFile termination;
  private final Optional<StatusFile> file;

  private volatile @Nullable ShutdownReport published;

  /**
   * @param terminationMessage the file for the termination message
   * @param reportFile the file for the JSON; empty for none
   */
  public ReportPublisher(Path terminationMessage, Optional<Path> reportFile) {
    termination = StatusFile.terminationMessage(terminationMessage);
    file = reportFile.map(StatusFile::report);
  }

  /** Warns if the report file cannot be written now, while there is time to correct that. */
  public void warnIfUnwritable() {
    file.filter(to -> !to.isWritable())
        .ifPresent(
            to ->
                log.warn(
                    "report-file={} cannot be written as things are; allowed: a file in a directory"
                        + " that exists and may be written",
                    to.path()));
  }

  /** Leaves a termination message where no shutdown will: the installation failed. */
  public static void leaveMessage(Path terminationMessage, String message) {
    StatusFile.terminationMessage(terminationMessage).writeNow(message);
  }

  /** Records that a shutdown has begun, for the case that the process is killed. */
  public void begin(Trigger trigger) {
    termination.write(() -> "Shutdown (" + trigger + ") has begun and never ended\n");
    file.ifPresent(to -> to.write(ShutdownReport::unfinishedJson));
  }

  /** Records the report. Does not wait for files; see {@link #finish}. */
  public void publish(ShutdownReport report) {
    amend(report);
    ShutdownLog.write(() -> log(report));
  }

  /** Records in the files that something went wrong after the report was published. */
  public void amend(ShutdownReport report) {
    published = report;
    termination.write(report::terminationMessage);
    file.ifPresent(to -> to.write(report::json));
  }

  private static void log(ShutdownReport report) {
    RequestTotals requests = report.requests();
    String separator = report.plan().reportLog() == ReportLog.LINES ? "\n  " : "; ";
    // Without a provider, or with one of SLF4J 1.7.
    if (report.outcome() != Outcome.CLEAN
        && LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory) {
      System.err.println("lastcall: Shutdown " + report.summary());
    }
    log.atLevel(isOrdinary(report) ? Level.INFO : Level.WARN)
        .addKeyValue("outcome", report.outcome())
        .addKeyValue("exit_code", report.exitCodeIsOurs() ? report.exitCode() : "")
        .addKeyValue("took_ms", report.took().toMillis())
        .addKeyValue("served", requests.served())
        .addKeyValue("late", requests.late())
        .addKeyValue("refused", requests.refused())
        .addKeyValue("abandoned", requests.abandoned())
        .log("Shutdown {}", String.join(separator, report.lines()));
  }

  private static boolean isOrdinary(ShutdownReport report) {
    return report.outcome() == Outcome.CLEAN
        || (report.outcome() == Outcome.HANDED_BACK
            && report.problems().isEmpty()
            && report.phases().stream().allMatch(PhaseReport::complete));
  }

  /** Waits until the files are written; warns of a file that is not written by the deadline. */
  public void finish(Deadline deadline) {
    if (!termination.finish(deadline)) {
      ShutdownLog.warn(log, "The termination message is not written in time");
    }
    if (file.isPresent() && !file.get().finish(deadline)) {
      ShutdownLog.warn(log, "The report file is not written in time");
    }
  }

  /**
   * Makes the records of a halt before it is due, so that at that time they are only written.
   *
   * @param phase the phase that runs; empty before the first
   * @param hanging what hangs
   * @return writes them, with the report that there is by then, on the calling thread
   */
  public Runnable halted(Optional<Phase> phase, String hanging) {
    ShutdownReport report = published;
    String message = HALTED + hanging + (report == null ? "" : "\n" + report.terminationMessage());
    String json =
        report == null
            ? ShutdownReport.haltedJson(phase.map(Phase::name).orElse("START"), hanging)
            : report.halted(hanging).json();
    return () -> {
      if (published == report) {
        termination.writeLast(message);
        file.ifPresent(to -> to.writeLast(json));
      } else {
        halted(phase, hanging).run();
      }
    };
  }
}
