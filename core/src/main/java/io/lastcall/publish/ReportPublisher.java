package io.lastcall.publish;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.Outcome;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Leaves records of the shutdown: in the log, in the termination message and, if wanted, in a file.
 * None of them can keep the others from being written, nor the process from its exit.
 */
public final class ReportPublisher {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private static final String HALTED =
      "Shutdown HALTED at the deadline, exit code " + ShutdownPlan.HALTED_EXIT_CODE + ": ";

  private final Target termination;
  private final Optional<Target> file;
  private final Optional<StatusFile> reportFile;

  private volatile @Nullable ShutdownReport published;

  /**
   * @param terminationMessage the file for the termination message
   * @param reportFile the file for the JSON; empty for none
   */
  public ReportPublisher(Path terminationMessage, Optional<Path> reportFile) {
    termination =
        new Target(
            "termination",
            StatusFile.existing(terminationMessage),
            HALTED + "PHASE was late; %%% % of the heap were used\n");
    this.reportFile = reportFile.map(StatusFile::in);
    file =
        this.reportFile.map(
            to ->
                new Target(
                    "report",
                    to,
                    ShutdownReport.haltedJson("PHASE", "%%% % of the heap were used")));
  }

  /** Warns if the report file cannot be written as things are: it can be mended now. */
  public void warnIfUnwritable() {
    reportFile
        .filter(to -> !to.isWritable())
        .ifPresent(
            to ->
                log.warn(
                    "report-file={} cannot be written as things are; allowed: a file in a directory"
                        + " that exists and may be written",
                    to.path()));
  }

  /** Records that a shutdown has begun, for the case that the process is killed. */
  public void begin(Trigger trigger) {
    termination.begin(
        TerminationMessage.bytes("Shutdown (" + trigger + ") has begun and never ended\n"));
    file.ifPresent(to -> to.begin(utf8(ShutdownReport.unfinishedJson())));
  }

  /** Records the report. Does not wait for files; see {@link #finish}. */
  public void publish(ShutdownReport report) {
    published = report;
    ShutdownLog.write(() -> log(report));
    write(report);
  }

  /** Records the report anew, where something has gone wrong after it was published. */
  public void amend(ShutdownReport report) {
    published = report;
    write(report);
  }

  private void write(ShutdownReport report) {
    termination.write(() -> TerminationMessage.bytes(report.terminationMessage()));
    file.ifPresent(to -> to.write(() -> utf8(report.json())));
  }

  private static void log(ShutdownReport report) {
    RequestTotals requests = report.requests();
    log.atLevel(report.outcome() == Outcome.CLEAN ? Level.INFO : Level.WARN)
        .addKeyValue("outcome", report.outcome())
        .addKeyValue("exit_code", report.exitCodeIsOurs() ? report.exitCode() : "")
        .addKeyValue("took_ms", report.took().toMillis())
        .addKeyValue("served", requests.served())
        .addKeyValue("late", requests.late())
        .addKeyValue("refused", requests.refused())
        .addKeyValue("abandoned", requests.abandoned())
        .log("Shutdown {}", String.join(separator(report.plan()), report.lines()));
  }

  private static String separator(ShutdownPlan plan) {
    return plan.reportLog() == ReportLog.LINES ? "\n  " : "; ";
  }

  /** Waits until the files are written; says which is not by the deadline. */
  public void finish(Deadline deadline) {
    if (!termination.finish(deadline)) {
      ShutdownLog.warn(log, "The termination message is not written in time");
    }
    if (file.isPresent() && !file.get().finish(deadline)) {
      ShutdownLog.warn(log, "The report file is not written in time");
    }
  }

  /**
   * Records that the process is halted.
   *
   * @param phase the phase that runs; empty before the first
   * @param hanging what hangs; empty where there is no memory to say it
   */
  public void halted(Optional<Phase> phase, String hanging) {
    ShutdownReport report = published;
    termination.halt(
        phase,
        () ->
            TerminationMessage.bytes(
                HALTED
                    + required(hanging)
                    + (report == null ? "" : "\n" + report.terminationMessage())));
    file.ifPresent(
        to ->
            to.halt(
                phase,
                () ->
                    utf8(
                        report == null
                            ? ShutdownReport.haltedJson(
                                phase.map(Phase::name).orElse("START"), required(hanging))
                            : report.halted(required(hanging)).json())));
  }

  private static String required(String hanging) {
    if (hanging.isEmpty()) {
      throw new IllegalStateException("There was no memory to find out what hangs");
    }
    return hanging;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
