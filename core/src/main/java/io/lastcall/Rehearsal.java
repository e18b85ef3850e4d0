package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Jvm;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.SubstituteLogger;

/**
 * Runs the sequence once for nobody, with a gate, a server and steps of its own, and no exit: a
 * little behind the start, or beside the real shutdown where that comes first. A JVM loads and
 * links code at its first use; without this it would do so between the last response and the exit,
 * where it took half of the time. Thread-safe.
 */
final class Rehearsal {
  /** The first requests come first: they have code of their own to load. */
  private static final Duration BEHIND_START = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);
  private static final String NAME = "rehearsal";

  private final Jvm jvm;
  private final ShutdownPlan plan;
  private final ArrivalHistory history;
  private final AtomicBoolean begun = new AtomicBoolean();
  private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();

  Rehearsal(Jvm jvm, ShutdownPlan plan, ArrivalHistory history) {
    this.jvm = jvm;
    this.plan = plan;
    this.history = history;
  }

  /** Start-up is over; only the first call counts. */
  void soon(Ticker ticker) {
    Deadline time = Deadline.after(BEHIND_START, ticker);
    Thread thread = Threads.daemon(NAME, () -> awaitAndRun(time));
    if (waiting.compareAndSet(null, thread)) {
      Threads.start(thread);
    }
  }

  private void awaitAndRun(Deadline time) {
    if (!time.await(this, begun::get)) {
      run(time);
    }
  }

  /** Nothing will be rehearsed that has not begun. */
  void cancel() {
    begin();
  }

  /** Returns whether this call was the first. Wakes the thread that waits to run it: it ends. */
  private boolean begin() {
    boolean first = begun.compareAndSet(false, true);
    LockSupport.unpark(waiting.get());
    return first;
  }

  /**
   * Runs it, unless it has begun. The sequence does without it.
   *
   * @param start a moment that has passed
   */
  void run(Deadline start) {
    if (!begin()) {
      return;
    }
    try {
      perform(start);
    } catch (Throwable t) {
      SafeLog.debug(log, "The rehearsal failed", t);
    }
  }

  private void perform(Deadline start) {
    GateControl gate = new GateControl(start.ticker());
    Participants nobody = nobody();
    Budget budget = new Budget(plan, Kind.JVM_EXIT, start);
    // Makes its lines as a real one does, for a queue that nobody reads.
    Logger silent = new SubstituteLogger(NAME, new ArrayDeque<>(), false);
    Sequence sequence =
        new Sequence(
            silent,
            new Trigger(Kind.JVM_EXIT, NAME),
            budget,
            nobody,
            gate,
            new ConnectionControl(),
            new PropagationWait(plan, gate, history),
            new Notifier(nobody::listeners),
            new Milestones() {});
    sequence.run();
    ShutdownReport report = sequence.report(false);
    ReportWriter writer = new ReportWriter(silent, Path.of("/nowhere/" + NAME), Optional.empty());
    writer.write(report);
    sequence.publish(report, ShutdownReport::summary, budget.publishEnd());
    writer.awaitFile(start);
    saySomethingHangs(sequence, writer, start);
    jvm.prepareExit();
  }

  /** Looks at the stack of no thread but this one: a look stops it. */
  private static void saySomethingHangs(Sequence sequence, ReportWriter writer, Deadline passed) {
    HaltNotice notice = new HaltNotice(Duration.ZERO, new StuckReporter(passed));
    writer.halting(notice.ofSequence(sequence) + StuckReporter.stack(Thread.currentThread()));
    writer.haltingBehindReport(notice.ofExit(Set.of()) + notice.ofOthersExit());
  }

  private static Participants nobody() {
    Participants nobody = new Participants();
    nobody.add(new ShutdownListener() {});
    nobody.add(new NoServer());
    for (Phase phase : Phase.values()) {
      nobody.add(Step.of(phase, NAME, context -> {}));
    }
    return nobody;
  }

  /** Has one connection, which ends when it is told to. */
  private static final class NoServer implements DrainableServer, HttpConnection {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Collection<? extends HttpConnection> connections() {
      return List.of(this);
    }

    @Override
    public void closeIfIdle() {
      Threads.start(Threads.daemon(NAME, () -> ended.complete(null)));
    }

    @Override
    public CompletionStage<?> connectionsEnded() {
      return ended;
    }

    @Override
    public void stopListening(Deadline deadline) {}

    @Override
    public void stop(Deadline deadline) {}
  }
}
