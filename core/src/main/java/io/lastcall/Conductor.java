package io.lastcall;

import io.lastcall.Lifecycle.Beginning;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Jvm;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the sequence on its thread once a shutdown has begun, and ends the process behind it. */
final class Conductor {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  /** The reporter speaks this long before the halter acts, or less. */
  private static final Duration REPORT_BEFORE_HALT = Duration.ofSeconds(1);

  /**
   * How often making the report is tried, with {@link PhaseRunner#RETRY_NANOS} in between: a fifth
   * of a second in all. By default the report has a quarter of one where EXIT took all of its time.
   */
  private static final int REPORT_TRIES = 5;

  private final ShutdownPlan plan;
  private final Participants participants;
  private final GateControl gate;
  private final ConnectionControl connections;
  private final Lifecycle lifecycle;
  private final Jvm jvm;
  private final ArrivalHistory history;
  private final Notifier notifier;
  private final ProbeSupport probing;
  private final ReportWriter writer;
  private final Rehearsal rehearsal;

  private volatile @Nullable Sequence sequence;
  private volatile @Nullable Set<Thread> threadsBeforeExit;
  private volatile boolean leftToOthersExit;

  Conductor(
      ShutdownPlan plan,
      Participants participants,
      GateControl gate,
      ConnectionControl connections,
      Lifecycle lifecycle,
      Jvm jvm,
      ArrivalHistory history,
      Notifier notifier,
      ProbeSupport probing,
      Rehearsal rehearsal) {
    this.plan = plan;
    this.participants = participants;
    this.gate = gate;
    this.connections = connections;
    this.lifecycle = lifecycle;
    this.jvm = jvm;
    this.history = history;
    this.notifier = notifier;
    this.probing = probing;
    this.rehearsal = rehearsal;
    writer = new ReportWriter(log, TerminationMessage.DEFAULT_PATH, plan.reportFile());
  }

  /** Warns while somebody may still mend it. */
  void warnIfUnwritable() {
    writer.warnIfUnwritable();
  }

  Optional<Phase> phase() {
    return Optional.ofNullable(sequence).flatMap(Sequence::phase);
  }

  /**
   * From now on nothing waits for the steps and listeners that run now on threads which have called
   * {@code System.exit}.
   */
  void spareExiting(Predicate<Thread> isExiting) {
    notifier.spareExiting(isExiting);
    Sequence now = sequence;
    if (now != null) {
      now.spareExiting(isExiting);
    }
  }

  /** How it stands now. */
  ShutdownStatus status(boolean ready) {
    Sequence now = sequence;
    long finished = gate.finished();
    long started = gate.started();
    return new ShutdownStatus(
        lifecycle.trigger(),
        phase(),
        ready,
        started - finished,
        started,
        finished,
        now == null ? new RequestTotals(0, 0, 0, 0, Optional.empty()) : now.requests(),
        now == null ? plan.untilHalt() : now.budgetLeft());
  }

  /** Runs on the sequence's thread; ends in the exit of the JVM, whatever fails. */
  void run(Beginning beginning) {
    int code = ShutdownPlan.INCOMPLETE_EXIT_CODE;
    try {
      prepare(beginning);
      code = conduct(beginning);
    } catch (Throwable t) {
      SafeLog.warn(log, "The shutdown failed; the exit follows", t);
    } finally {
      end(beginning, code);
    }
  }

  private void end(Beginning beginning, int code) {
    try {
      endProbes(beginning);
    } finally {
      boolean exits = lifecycle.isExitOurs();
      leftToOthersExit = !exits;
      lifecycle.over().countDown();
      if (exits) {
        exit(code);
      }
    }
  }

  /** The very last thing: until here the kubelet gets its answers. */
  private void endProbes(Beginning beginning) {
    try {
      probing.end(budget(beginning).probesEnd());
    } catch (Throwable t) {
      SafeLog.warn(log, "The probes failed to end; the exit follows", t);
    }
  }

  private int conduct(Beginning beginning) {
    Sequence now = sequence(beginning);
    sequence = now;
    now.run();
    Publication publication = publication(now, beginning);
    publish(now, publication);
    return publication.report().exitCode();
  }

  /** A report, and until when somebody may be told of it. */
  private record Publication(ShutdownReport report, Deadline end) {}

  /** Tries more than once: the heap may be full for this moment only. */
  private Publication publication(Sequence now, Beginning beginning) {
    for (int tries = 1; ; tries++) {
      try {
        ShutdownReport report = now.report(lifecycle.isExitOurs());
        return new Publication(report, budget(beginning).publishEnd());
      } catch (Throwable t) {
        if (tries == REPORT_TRIES) {
          throw t;
        }
        LockSupport.parkNanos(this, PhaseRunner.RETRY_NANOS);
      }
    }
  }

  private void publish(Sequence now, Publication publication) {
    writer.write(publication.report());
    try {
      now.publish(publication.report(), lifecycle, publication.end());
    } catch (Throwable t) {
      SafeLog.warn(log, "Not everybody was told of the report; the exit follows", t);
    }
    writer.awaitFile(publication.end());
  }

  /**
   * Tries until it works. A heap may be full for a moment, and what is served meanwhile is worth
   * more than an exit without a drain; the halter bounds it. A class that is missing stays missing.
   */
  private Sequence sequence(Beginning beginning) {
    Sequence made = null;
    while (made == null) {
      try {
        made =
            new Sequence(
                log,
                beginning.trigger(),
                budget(beginning),
                participants,
                gate,
                connections,
                new PropagationWait(plan, gate, history),
                notifier,
                probing);
      } catch (LinkageError missing) {
        throw missing;
      } catch (Throwable t) {
        SafeLog.warn(log, "The shutdown cannot begin yet; it is tried again", t);
        LockSupport.parkNanos(this, PhaseRunner.RETRY_NANOS);
      }
    }
    return made;
  }

  private Budget budget(Beginning beginning) {
    return new Budget(plan, beginning.trigger().kind(), beginning.start());
  }

  /** The sequence does without it. */
  private void prepare(Beginning beginning) {
    try {
      history.stop();
      Threads.start(Threads.daemon("rehearsal", () -> rehearse(beginning)));
    } catch (Throwable t) {
      SafeLog.debug(log, "Nothing is rehearsed", t);
    }
  }

  /**
   * Runs beside the sequence. The servers' part not before: it takes ways through their code that
   * requests never take, and the JIT compiler would compile that for both. Nor where nothing is
   * waited for: it would only hold up the exit.
   */
  private void rehearse(Beginning beginning) {
    writer.begin(beginning.trigger());
    if (!gate.isIdle() || !budget(beginning).keepServing().isZero()) {
      participants.servers().forEach(GuardedServer::rehearse);
    }
    rehearsal.run(beginning.start());
  }

  private void exit(int code) {
    try {
      threadsBeforeExit = Threads.alive();
    } catch (Throwable t) {
      // The reporter will say less.
    }
    try {
      jvm.exit(code);
    } catch (Throwable t) {
      // No thread is left for a hook, or no memory.
      jvm.halt(code);
    }
  }

  /** How long before the halt the reporter speaks: once EXIT, report and probes had their time. */
  private Duration reportBeforeHalt() {
    return Durations.min(plan.exitTimeout().multipliedBy(2).dividedBy(5), REPORT_BEFORE_HALT);
  }

  /** Runs on the reporter's thread: just before the halt, says what it is that hangs. */
  void reportStuck(Beginning beginning) {
    Duration before = reportBeforeHalt();
    Deadline halt = lifecycle.haltAt(beginning);
    halt.plus(before.negated()).awaitPassed(this);
    // The halt needs what a look at a stack needs, too: none may be in its way.
    StuckReporter reporter = new StuckReporter(halt.plus(before.dividedBy(2).negated()));
    HaltNotice notice = new HaltNotice(before, reporter);
    Set<Thread> threads = threadsBeforeExit;
    Sequence now = sequence;
    if (threads != null) {
      sayBehindReport(notice.ofExit(threads));
    } else if (leftToOthersExit) {
      sayBehindReport(notice.ofOthersExit());
    } else if (now != null) {
      String late = notice.ofSequence(now);
      writer.halting(late);
      // Behind that: what hangs may be the log.
      SafeLog.attempt(() -> log.warn(late));
    }
  }

  /**
   * Runs on the reporter's thread where a signal came before start-up was over: just before the
   * halt, says what the exit waits for. No phase of ours needs the time before that.
   */
  void reportStuckStartUp(Deadline halt) {
    Duration before = Durations.min(plan.untilHalt().dividedBy(4), REPORT_BEFORE_HALT);
    halt.plus(before.negated()).awaitPassed(this);
    StuckReporter reporter = new StuckReporter(halt.plus(before.dividedBy(2).negated()));
    sayBehindReport(new HaltNotice(before, reporter).ofStartUp());
  }

  /** Logging may have ended with its own hook by then. */
  private void sayBehindReport(String hanging) {
    writer.haltingBehindReport(hanging);
    System.err.println("lastcall: ".concat(hanging)); // + would be linked here and now
  }
}
