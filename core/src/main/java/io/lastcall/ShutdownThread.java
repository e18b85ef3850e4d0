package io.lastcall;

import io.lastcall.ShutdownState.Begun;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.EventThread;
import io.lastcall.process.Jvm;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.publish.ReportPublisher;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.sequence.Budget;
import io.lastcall.sequence.FirstLine;
import io.lastcall.sequence.HaltNotice;
import io.lastcall.sequence.Notifier;
import io.lastcall.sequence.PhaseRun;
import io.lastcall.sequence.Service;
import io.lastcall.sequence.ShutdownContext;
import io.lastcall.sequence.Watch;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the phases of the shutdown on a thread that is started at install, and exits the process.
 * Whatever fails, the next phase follows, and the exit in the end.
 */
final class ShutdownThread {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownState state;
  private final Service service;
  private final ProbeSupport readiness;
  private final Notifier notifier;
  private final Jvm jvm;
  private final ReportPublisher publisher;
  private final EventThread completion = new EventThread("completion");
  private final Thread thread = Threads.daemon("sequence", () -> whenBegun(this::run));
  private final Thread watcher = Threads.daemon("watch", this::watch);
  private final Thread keeper = Threads.user("keeper", this::keepAlive);

  private volatile @Nullable ShutdownContext context;
  private volatile @Nullable Watch watch;

  ShutdownThread(
      ShutdownState state, Service service, ProbeSupport readiness, Notifier notifier, Jvm jvm) {
    this.state = state;
    this.service = service;
    this.readiness = readiness;
    this.notifier = notifier;
    this.jvm = jvm;
    publisher = new ReportPublisher(jvm.terminationMessage(), state.plan().reportFile());
  }

  /** Starts the threads, which wait until the state moves. */
  void start() {
    publisher.warnIfUnwritable();
    ShutdownLog.start();
    state.guard(this::wake);
    watcher.start();
    thread.start();
  }

  private void wake() {
    if (state.trigger().filter(by -> by.kind() != Kind.JVM_EXIT).isPresent()) {
      Threads.start(keeper);
    }
    LockSupport.unpark(thread);
    LockSupport.unpark(watcher);
  }

  private void whenBegun(Consumer<Begun> body) {
    while (state.isIdle()) {
      Thread.interrupted(); // a thread that stays interrupted cannot park
      LockSupport.park(this);
    }
    state
        .begun()
        .ifPresent(
            begun -> {
              begun.begunBy().add();
              body.accept(begun);
            });
  }

  /**
   * When servers stop, or {@code main} returns after its {@code begin()}, the last thread that is
   * no daemon may end; the JVM would then exit by itself, with code 0, concurrently with our exit.
   */
  private void keepAlive() {
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        ShutdownLog.debug(log, "Interrupted while it keeps the process alive", e);
      }
    }
  }

  private void run(Begun begun) {
    int code = ShutdownPlan.INCOMPLETE_EXIT_CODE;
    try {
      code = conduct(begun);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "The shutdown failed; the exit follows", t);
    } finally {
      end(code);
    }
  }

  private int conduct(Begun begun) {
    boolean routed = service.isRouted();
    Budget budget = new Budget(state.plan(), begun.trigger().kind(), begun.start(), routed);
    service.work().requestStop(budget.drainLatest());
    ShutdownContext now = ShutdownContext.of(begun.trigger(), budget, service);
    Watch watching = new Watch(now, notice(budget.halt()), watcher);
    context = now;
    watch = watching;
    LockSupport.unpark(watcher);
    publisher.begin(begun.trigger());
    FirstLine.log(now);
    notifier.start();
    notifier.tell(listener -> listener.began(begun.trigger()));
    readiness.changed();
    for (PhaseRun phase : now.phases(readiness::failReadiness)) {
      watching.begins(phase.phase());
      run(phase, now);
      if (phase.phase() == Phase.KEEP_SERVING) {
        readiness.propagated();
      }
    }
    return publish(now);
  }

  private void run(PhaseRun phase, ShutdownContext now) {
    Deadline start = now.budget().start();
    Duration began = start.elapsed();
    Deadline end = phase.deadline();
    Duration planned = end.remaining();
    ShutdownLog.debug(log, "{} for up to {} ms", phase.phase(), planned.toMillis());
    phase.describe(end).ifPresent(line -> ShutdownLog.write(() -> log(phase, planned, line)));
    notifier.tell(listener -> listener.phaseStarted(phase.phase()));
    boolean complete = false;
    try {
      complete = phase.run(end);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "{} failed; the next phase follows in its time", phase.phase(), t);
      phase.recover(end);
    }
    PhaseReport report =
        new PhaseReport(phase.phase(), began, planned, start.elapsed().minus(began), complete);
    now.recorder().add(report);
    notifier.tell(listener -> listener.phaseEnded(report));
    Thread.interrupted(); // an adapter's, whose code has run on this thread
  }

  private static void log(PhaseRun phase, Duration planned, String line) {
    log.atInfo()
        .addKeyValue("phase", phase.phase())
        .addKeyValue("planned_ms", planned.toMillis())
        .log("{}", line);
  }

  private int publish(ShutdownContext now) {
    ShutdownReport report = now.recorder().report(now, state.isExitOurs());
    Deadline end = now.budget().publishEnd();
    publisher.publish(report);
    completion.add(() -> state.complete(report));
    completion.start();
    notifier.tell(listener -> listener.completed(report));
    List<String> hanging = new ArrayList<>();
    if (!notifier.finish(end)) {
      hanging.add(hangs("a listener", notifier.stack()));
    }
    if (!completion.finish(end)) {
      hanging.add(hangs("a dependent of begin() or completion()", completion.stack()));
    }
    if (!hanging.isEmpty()) {
      publisher.amend(report.noting(String.join("; ", hanging)));
    }
    publisher.finish(end);
    return report.exitCode();
  }

  /** Says in the log that foreign code hangs after the report was made; returns that in words. */
  private static String hangs(String who, String stack) {
    ShutdownLog.warn(log, "The exit does not wait for {} any longer; it is{}", who, stack);
    return who + " hangs:" + stack;
  }

  /** Until here the kubelet gets its answers; the log is written before other JVM hooks run. */
  private void end(int code) {
    ShutdownContext now = context;
    try {
      Deadline end =
          now == null ? Deadline.after(Duration.ZERO, state.ticker()) : now.budget().probesEnd();
      readiness.end(end);
      ShutdownLog.flush(end);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "The probes failed to end; the exit follows", t);
    } finally {
      boolean ours = state.isExitOurs();
      Watch watching = watch;
      if (watching != null && !ours) {
        watching.leavesExitToOthers();
      }
      state.sequenceDone();
      if (ours) {
        exit(code);
      }
    }
  }

  private void exit(int code) {
    try {
      Watch watching = watch;
      if (watching != null) {
        watching.exits(Threads.alive());
      }
    } finally {
      exitOrHalt(code);
    }
  }

  private void exitOrHalt(int code) {
    try {
      jvm.exit(code);
    } catch (Throwable t) {
      jvm.halt(code); // no thread is left for a JVM hook, or no memory
    }
  }

  private void watch() {
    whenBegun(begun -> awaitWatch().run());
    state.quitting().ifPresent(halt -> notice(halt).giveForStartUp());
  }

  private Watch awaitWatch() {
    Watch watching = watch;
    while (watching == null) {
      Thread.interrupted();
      LockSupport.park(this);
      watching = watch;
    }
    return watching;
  }

  private HaltNotice notice(Deadline halt) {
    return new HaltNotice(halt, state.plan().exitTimeout(), publisher::halted);
  }

  /** Returns the phase that runs, or ran last. */
  Optional<Phase> phase() {
    return Optional.ofNullable(watch).flatMap(Watch::phase);
  }

  /** Returns how the shutdown stands now. */
  ShutdownStatus status(boolean ready) {
    ShutdownContext now = context;
    long finished = service.gate().finished();
    long started = service.gate().started();
    return new ShutdownStatus(
        state.trigger(),
        phase(),
        ready,
        started - finished,
        started,
        finished,
        now == null ? RequestTotals.NONE : now.recorder().totals(),
        now == null ? state.plan().untilHalt() : now.budget().halt().remaining());
  }
}
