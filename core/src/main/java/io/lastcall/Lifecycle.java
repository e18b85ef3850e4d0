package io.lastcall;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Halter;
import io.lastcall.process.Jvm;
import io.lastcall.process.SafeLog;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a shutdown has begun, and the threads that were started to run it.
 *
 * <p>One word, {@link #state}: IDLE to a {@link Beginning} (the first trigger wins, once and for
 * all), to {@link Quitting} (a stop signal before start-up was over) or to {@link Uninstalled}.
 * Winning either of the first two arms the halter: from then on the process ends in time whatever
 * fails after it.
 */
final class Lifecycle implements Consumer<ShutdownReport> {
  /** What the word holds. */
  private sealed interface State {}

  private record Idle() implements State {}

  private record Uninstalled() implements State {}

  /**
   * The process ends without a shutdown.
   *
   * @param halt when at the latest
   */
  private record Quitting(Deadline halt) implements State {}

  /**
   * A shutdown has begun.
   *
   * @param trigger what began it
   * @param begunBy the log context of whoever began it
   * @param start the moment
   */
  record Beginning(Trigger trigger, LogContext begunBy, Deadline start) implements State {}

  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);
  private static final State IDLE = new Idle();

  private final ShutdownPlan plan;
  private final Jvm jvm;
  private final Ticker ticker;
  private final Halter halter;
  private final CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
  private final CompletableFuture<ShutdownReport> published = report.copy();
  private final AtomicReference<State> state = new AtomicReference<>(IDLE);

  private final CountDownLatch over = new CountDownLatch(1);

  private volatile boolean started;
  private volatile boolean exitCalled;
  private volatile @Nullable Thread sequenceThread;
  private volatile @Nullable Thread reporterThread;
  private volatile @Nullable Thread keeperThread;

  Lifecycle(ShutdownPlan plan, Jvm jvm, Ticker ticker) {
    this.plan = plan;
    this.jvm = jvm;
    this.ticker = ticker;
    halter = new Halter(jvm, ticker, ShutdownPlan.HALTED_EXIT_CODE);
  }

  void start(Conductor conductor) {
    loadWhatBeginsIt();
    halter.start();
    reporterThread =
        Threads.daemon(
            "reporter", () -> whenBegun(conductor::reportStuck, conductor::reportStuckStartUp));
    reporterThread.start();
    Thread sequence = Threads.daemon("sequence", () -> whenBegun(conductor::run, halt -> {}));
    sequenceThread = sequence;
    sequence.start();
    keeperThread = Threads.user("keeper", () -> awaitEnd(sequence));
  }

  /**
   * A signal may come when no class can be loaded any more: the jar has been replaced, its class
   * loader closed, the metaspace is full.
   */
  private void loadWhatBeginsIt() {
    Trigger nobody = new Trigger(Kind.REQUEST, "nobody");
    haltAt(new Beginning(nobody, LogContext.NONE, new Deadline(ticker, ticker.read())));
    SafeLog.attempt(() -> log.debug("A shutdown can begin"));
  }

  /**
   * When servers stop, or {@code main} returns behind its {@code begin()}, the last thread that is
   * no daemon may end. The JVM would then exit on its own, with code 0, beside our own exit.
   * Somebody who interrupts all threads does not change that.
   */
  private static void awaitEnd(Thread sequence) {
    while (sequence.isAlive()) {
      try {
        sequence.join();
      } catch (InterruptedException e) {
        SafeLog.debug(log, "Interrupted in the keeper", e);
      }
    }
  }

  /**
   * @param quitting called instead where the process quits, with the moment of the halt
   */
  private void whenBegun(Consumer<Beginning> body, Consumer<Deadline> quitting) {
    State now = state.get();
    while (now == IDLE) {
      // A thread that stays interrupted cannot park.
      Thread.interrupted();
      LockSupport.park(this);
      now = state.get();
    }
    if (now instanceof Beginning beginning) {
      beginning.begunBy().add();
      body.accept(beginning);
    } else if (now instanceof Quitting quits) {
      quitting.accept(quits.halt());
    }
  }

  /**
   * Begins, unless it has begun or is uninstalled. The halter is armed first.
   *
   * @return whether this trigger was the one
   */
  boolean begin(Trigger trigger) {
    return begin(trigger, LogContext.NONE);
  }

  /**
   * As {@link #begin(Trigger)}.
   *
   * @param begunBy what the library's threads log with
   */
  boolean begin(Trigger trigger, LogContext begunBy) {
    Beginning beginning = new Beginning(trigger, begunBy, new Deadline(ticker, ticker.read()));
    long haltAt = haltAt(beginning).nanos();
    if (!state.compareAndSet(IDLE, beginning)) {
      return false;
    }
    halter.arm(haltAt);
    if (trigger.kind() != Kind.JVM_EXIT && keeperThread != null) {
      Threads.start(keeperThread);
    }
    LockSupport.unpark(sequenceThread);
    LockSupport.unpark(reporterThread);
    return true;
  }

  /** Returns what every caller of begin gets. */
  CompletableFuture<ShutdownReport> published() {
    return published;
  }

  /**
   * A stop signal before start-up was over: there is nothing to drain, so the process exits. The
   * JVM waits for its other hooks, and one of them may wait for the start-up's end, as Spring's
   * does: they have the time that the grace period leaves. Returns only if something else was
   * first: a shutdown, another quit, or the uninstallation.
   *
   * @param requests that came all the same: {@code started()} was forgotten
   */
  void quit(String signal, int code, long requests) {
    Deadline halt = Deadline.after(plan.untilHalt(), ticker);
    if (!state.compareAndSet(IDLE, new Quitting(halt))) {
      return;
    }
    halter.arm(halt.nanos());
    LockSupport.unpark(reporterThread);
    SafeLog.attempt(
        () ->
            log.info(
                "{} before the application has started: its hooks are waited for until {} ({} s);"
                    + " exit {}",
                signal,
                "%tT".formatted(LocalTime.now(ZoneId.systemDefault()).plus(plan.untilHalt())),
                plan.untilHalt().toSeconds(),
                code));
    warnOfRequests(requests);
    jvm.exit(code);
  }

  /**
   * Says that the JVM exits, and nothing is drained, since start-up was not over. {@link #quit} has
   * said more where that exit is its own.
   */
  void exitsBeforeStarted(Trigger trigger, long requests) {
    if (state.get() == IDLE) {
      SafeLog.attempt(() -> log.info("{} before started(): it is not held up", trigger));
      warnOfRequests(requests);
    }
  }

  private static void warnOfRequests(long requests) {
    if (requests > 0) {
      SafeLog.attempt(
          () ->
              log.warn(
                  "{} requests came, and started() had not been called: before it nothing is drained",
                  requests));
    }
  }

  /** Ends the process, if the shutdown could not be begun. */
  void exitUnlessBegun(int code) {
    if (trigger().isEmpty()) {
      try {
        halter.arm(Deadline.after(plan.untilHalt(), ticker).nanos());
      } finally {
        jvm.exit(code);
      }
    }
  }

  Deadline haltAt(Beginning beginning) {
    return beginning.start().plus(plan.untilHalt());
  }

  Optional<Trigger> trigger() {
    return state.get() instanceof Beginning beginning
        ? Optional.of(beginning.trigger())
        : Optional.empty();
  }

  /**
   * Completes the future; its dependents run on the calling thread. A method of ours and no method
   * reference, which costs milliseconds at its first use: the exit is next.
   */
  @Override
  public void accept(ShutdownReport result) {
    report.complete(result);
  }

  /** Opened when the sequence has nothing left to do but exit. */
  CountDownLatch over() {
    return over;
  }

  /** Somebody else's {@code System.exit} runs, whatever has begun the shutdown. */
  void exitCalled() {
    exitCalled = true;
  }

  /**
   * Whether the process is still to be ended by us, with our exit code. Allocates nothing: it is
   * asked right before the exit, and the heap may be full.
   */
  boolean isExitOurs() {
    return !exitCalled
        && state.get() instanceof Beginning beginning
        && beginning.trigger().kind() != Kind.JVM_EXIT;
  }

  void started() {
    started = true;
  }

  boolean isStarted() {
    return started;
  }

  /** Ends the threads; returns whether there was anything to uninstall. */
  boolean uninstall() {
    if (!state.compareAndSet(IDLE, new Uninstalled())) {
      return false;
    }
    halter.stop();
    LockSupport.unpark(sequenceThread);
    LockSupport.unpark(reporterThread);
    report.completeExceptionally(
        new IllegalStateException(
            "begin(...) is too late: the shutdown is uninstalled; allowed: before"));
    return true;
  }
}
