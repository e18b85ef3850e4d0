package io.lastcall;

import io.lastcall.ShutdownState.Begun;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.EventThread;
import io.lastcall.process.Jvm;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.publish.ReportPublisher;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.sequence.Notifier;
import io.lastcall.sequence.Service;
import io.lastcall.sequence.ShutdownContext;
import io.lastcall.sequence.Watch;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
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
  private final Readiness readiness;
  private final Notifier notifier;
  private final Jvm jvm;
  private final ReportPublisher publisher;
  private final Watch watch;
  private final EventThread completion = new EventThread("completion");
  private final Thread thread = Threads.daemon("sequence", this::run);
  private final Thread watcher = Threads.daemon("watch", this::watch);
  private final Thread keeper = Threads.user("keeper", this::keepAlive);

  private volatile @Nullable ShutdownContext context;
  private volatile Runnable onEnding = () -> {};

  ShutdownThread(ShutdownState state, Service service, Readiness readiness, Jvm jvm) {
    this.state = state;
    this.service = service;
    this.readiness = readiness;
    notifier = service.registrations().notifier();
    this.jvm = jvm;
    publisher = new ReportPublisher(jvm.terminationMessage(), state.plan().reportFile());
    watch = new Watch(state.plan().exitTimeout(), () -> Optional.ofNullable(context), this::halted);
  }

  /**
   * Starts the threads, which wait until the state moves.
   *
   * @param ending called by the thread that moves it, when the process ends by that
   */
  void start(Runnable ending) {
    onEnding = ending;
    publisher.warnIfUnwritable();
    ShutdownContext.prepare();
    state.guard(this::wake);
    watcher.start();
    thread.start();
  }

  /** The extensions come first: a record may block where a disk does, and they must not. */
  private Runnable halted(Optional<Phase> phase, String hanging) {
    Runnable records = publisher.halted(phase, hanging);
    return () -> {
      readiness.extensions().each(extension -> extension.halting(hanging));
      records.run();
    };
  }

  private void wake() {
    if (state.isExitOurs()) {
      Threads.start(keeper);
    }
    LockSupport.unpark(thread);
    LockSupport.unpark(watcher);
    if (state.halt().isPresent()) {
      onEnding.run();
    }
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

  /** Waits until the state has moved; returns what began, if a shutdown did. */
  private Optional<Begun> awaitBegun() {
    while (state.isIdle()) {
      Thread.interrupted(); // a thread that stays interrupted cannot park
      LockSupport.park(this);
    }
    Optional<Begun> begun = state.begun();
    begun.ifPresent(by -> by.begunBy().add());
    return begun;
  }

  private void watch() {
    awaitBegun();
    state.halt().ifPresent(watch::run);
  }

  private void run() {
    awaitBegun().ifPresent(this::run);
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
    // A program that calls begin() before it has started may serve all the same.
    boolean started = readiness.isStarted() || !begun.trigger().isSignal();
    ShutdownContext now =
        ShutdownContext.begin(state::plan, begun.trigger(), started, begun.start(), service);
    context = now;
    publisher.begin(begun.trigger());
    readiness.extensions().each(extension -> extension.began(begun.trigger()));
    notifier.start();
    notifier.notifyListeners(listener -> listener.began(begun.trigger()));
    readiness.changed();
    now.runPhases(watch, readiness);
    return publish(now);
  }

  private int publish(ShutdownContext now) {
    ShutdownReport report = now.report(state.isExitOurs());
    publisher.publish(report);
    readiness.extensions().each(extension -> extension.reported(report));
    Deadline end = now.publishEnd();
    // A quarter is kept for records that say which listener hangs.
    Deadline listenersEnd = end.atMost(end.remaining().multipliedBy(3).dividedBy(4));
    Deadline logEnd = end.atMost(end.remaining().dividedBy(2));
    completion.add(
        () -> {
          ShutdownLog.flush(logEnd); // a dependent may end the log
          state.complete(report);
        });
    completion.start();
    notifier.notifyListeners(listener -> listener.completed(report));
    List<String> hanging = new ArrayList<>();
    finish(notifier.thread(), listenersEnd, "a listener").ifPresent(hanging::add);
    finish(completion, listenersEnd, "a dependent of begin() or completion()")
        .ifPresent(hanging::add);
    if (!hanging.isEmpty()) {
      publisher.amend(report.noting(String.join("; ", hanging)));
    }
    publisher.finish(end);
    return report.exitCode();
  }

  /** Waits for foreign code; returns what hangs, after logging it, if the deadline passed first. */
  private static Optional<String> finish(EventThread events, Deadline end, String who) {
    if (events.finish(end)) {
      return Optional.empty();
    }
    String stack = events.stack();
    ShutdownLog.warn(log, "The exit does not wait for {} any longer; it is{}", who, stack);
    return Optional.of(who + " hangs:" + stack);
  }

  /** Until here the kubelet gets its answers; the log is written before other JVM hooks run. */
  private void end(int code) {
    try {
      ShutdownContext now = context;
      Deadline end = now == null ? Deadline.after(Duration.ZERO, state.ticker()) : now.probesEnd();
      readiness.end(end);
      ShutdownLog.flush(end);
    } finally {
      boolean ours = state.isExitOurs();
      if (!ours) {
        watch.leavesExitToOthers();
      }
      state.done().countDown();
      if (ours) {
        exit(code);
      }
    }
  }

  private void exit(int code) {
    try {
      watch.exitBegins(Threads.alive());
      jvm.exit(code);
    } catch (Throwable t) {
      // No thread is left for a JVM hook, or no memory, or a SecurityManager refuses exits.
      try {
        ShutdownLog.warn(log, "The exit has failed; the process is halted", t);
      } finally {
        halt(code);
      }
    }
  }

  /**
   * What refuses the exit refuses the halt, too. A stop signal ends the process all the same, as
   * without this library; a program that began the shutdown itself, a test say, wants to live.
   */
  private void halt(int code) {
    try {
      jvm.halt(code);
    } catch (SecurityException e) {
      if (state.trigger().filter(Trigger::isSignal).isPresent()) {
        jvm.endBySigterm();
      }
    }
  }

  /** Returns the phase that runs, or ran last. */
  Optional<Phase> phase() {
    return watch.phase();
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
        now == null ? RequestTotals.NONE : now.totals(),
        now == null ? state.plan().untilHalt() : now.halt().remaining());
  }
}
