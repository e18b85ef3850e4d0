package io.lastcall;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.report.Outcome;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Leaves the report where people look: in the log, in the termination message and, if wanted, in a
 * file. Each is guarded: one that fails keeps nobody from the others, and nothing from the exit.
 */
final class ReportWriter {
  private final Logger log;
  private final LastWords termination;
  private final Optional<LastWords> file;

  /** What the termination message says of the report: kept when something else is put in front. */
  private volatile String reported = "";

  /** What writes the file, where no thread is left for it. */
  private @Nullable Runnable unstarted;

  /** Whether the file is still to be waited for. */
  private volatile boolean writing;

  /**
   * @param termination the file for the termination message
   * @param reportFile the file for the JSON; empty for none
   */
  ReportWriter(Logger log, Path termination, Optional<Path> reportFile) {
    this.log = log;
    this.termination = LastWords.inExisting(termination);
    file = reportFile.map(LastWords::in);
  }

  /** Warns if the report file cannot be written as things are. */
  void warnIfUnwritable() {
    file.filter(words -> !words.isWritable())
        .ifPresent(
            words ->
                log.warn(
                    "report-file={} cannot be written as things are; allowed: a file in a directory"
                        + " that exists and may be written",
                    words));
  }

  /**
   * Says that a shutdown has begun, for the case that the process is killed before it can say more.
   */
  void begin(Trigger trigger) {
    String begun = "Shutdown (" + trigger + ") has begun";
    guarded(() -> termination.provisional(TerminationMessage.bytes(begun + " and never ended\n")));
    guarded(
        () -> file.ifPresent(words -> words.provisional(utf8(ShutdownReport.unfinishedJson()))));
  }

  /** Says that the process will be halted, if it gets no further. */
  void halting(String what) {
    guarded(() -> termination.provisional(TerminationMessage.bytes("Shutdown halted; " + what)));
  }

  /** Says so in front of the report, if there is room: what is still to come is not ours. */
  void haltingBehindReport(String what) {
    guarded(() -> termination.last(TerminationMessage.bytes(what + "\n" + reported)));
  }

  /** Does not wait for the file, which may be anywhere: others are to be told meanwhile. */
  void write(ShutdownReport report) {
    guarded(() -> log(report));
    guarded(() -> terminationMessage(report.terminationMessage()));
    guarded(() -> file.ifPresent(words -> writeBeside(words, report)));
  }

  /** Waits for the file until the deadline; on the thread that called {@link #write}. */
  void awaitFile(Deadline deadline) {
    guarded(() -> awaitWritten(deadline));
  }

  private void terminationMessage(String message) {
    reported = message;
    termination.last(TerminationMessage.bytes(message));
  }

  private void log(ShutdownReport report) {
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

  private void writeBeside(LastWords words, ShutdownReport report) {
    Thread waiter = Thread.currentThread();
    Runnable body = () -> write(words, report, waiter);
    unstarted = body;
    writing = true;
    if (Threads.start(Threads.daemon("report", body))) {
      unstarted = null;
    }
  }

  private void write(LastWords words, ShutdownReport report, Thread waiter) {
    try {
      guarded(() -> words.last(utf8(report.json())));
    } finally {
      writing = false;
      LockSupport.unpark(waiter);
    }
  }

  private void awaitWritten(Deadline deadline) {
    Runnable body = unstarted;
    if (body != null) {
      body.run();
    }
    if (!deadline.await(this, () -> !writing)) {
      SafeLog.attempt(() -> log.warn("The report file is not written in time"));
    }
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void guarded(Runnable body) {
    try {
      body.run();
    } catch (Throwable t) {
      SafeLog.warn(log, "The report could not be written everywhere", t);
    }
  }
}
