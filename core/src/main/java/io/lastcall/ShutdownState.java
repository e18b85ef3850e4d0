package io.lastcall;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Halter;
import io.lastcall.process.LogContext;
import io.lastcall.process.Threads;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a shutdown has begun, and who exits. Thread-safe.
 *
 * <p>One word, {@link #state}, moves once: from IDLE to {@link Begun} (the first trigger wins), to
 * {@link Quitting} (a signal before start-up was over) or to UNINSTALLED. The thread that moves it
 * to one of the first two arms the halter: from then on the process ends in time, whatever fails.
 */
final class ShutdownState {
  private sealed interface State {}

  private enum Outside implements State {
    /** No shutdown has begun. */
    IDLE,
    /** No shutdown can begin any more. */
    UNINSTALLED
  }

  /** The process ends, and is halted when its time is up. */
  private sealed interface Ending extends State {
    Deadline start();
  }

  /** The process exits without a shutdown. */
  private record Quitting(Deadline start) implements Ending {}

  /**
   * A shutdown has begun.
   *
   * @param trigger what began it
   * @param begunBy the log context of the thread that began it
   * @param start the moment
   */
  record Begun(Trigger trigger, LogContext begunBy, Deadline start) implements Ending {}

  private volatile ShutdownPlan plan;
  private final Ticker ticker;
  private final Halter halter;
  private final AtomicReference<State> state = new AtomicReference<>(Outside.IDLE);
  private final CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
  private final CountDownLatch done = new CountDownLatch(1);

  private volatile Runnable onChange = () -> {};
  private volatile boolean exitCalled;

  ShutdownState(ShutdownPlan plan, Ticker ticker, Halter halter) {
    this.plan = plan;
    this.ticker = ticker;
    this.halter = halter;
  }

  /** Returns the plan that counts now: {@link #shorten} may replace it. */
  ShutdownPlan plan() {
    return plan;
  }

  /**
   * Moves the end of a process that ends to earlier: phases shrink, and whatever waits looks again.
   *
   * @param killed when SIGKILL comes
   * @param waited the part of the propagation delay that had passed before the trigger
   * @return whether that is earlier than before
   */
  synchronized boolean shorten(Deadline killed, Duration waited) {
    if (!(state.get() instanceof Ending ending)) {
      return false;
    }
    if (!replacePlan(plan.shortenedTo(ending.start().until(killed), waited))) {
      return false;
    }
    halter.shorten(haltAt(ending));
    Threads.wakeAll();
    return true;
  }

  /** Returns whether the plan is shorter than the one that it has replaced then. */
  private synchronized boolean replacePlan(ShutdownPlan shorter) {
    if (shorter.untilHalt().compareTo(plan.untilHalt()) >= 0) {
      return false;
    }
    plan = shorter;
    return true;
  }

  /** Returns when SIGKILL comes, if the process ends. */
  Optional<Deadline> killed() {
    return state.get() instanceof Ending ending
        ? Optional.of(ending.start().plus(plan.gracePeriod()).plus(plan.preStopDelay().negated()))
        : Optional.empty();
  }

  Ticker ticker() {
    return ticker;
  }

  /**
   * Starts the halter.
   *
   * @param change called whenever the state has moved, on the thread that moved it
   */
  void guard(Runnable change) {
    onChange = change;
    halter.start();
  }

  /**
   * Begins a shutdown, unless one has begun, or the process quits, or the library is uninstalled.
   * The halter is armed before it returns.
   *
   * @return whether this trigger was the first
   */
  boolean begin(Trigger trigger, LogContext begunBy) {
    return advance(new Begun(trigger, begunBy, now()));
  }

  /**
   * Begins a shutdown some time after the call that asked for it, or shortens the one that has
   * begun meanwhile.
   *
   * @param killed when SIGKILL comes: that call counts
   * @param call the moment of the call; the propagation delay counts from there
   */
  void beginBefore(Deadline killed, Deadline call, Trigger trigger) {
    Duration waited = call.elapsed();
    if (isIdle()) {
      // The halter is armed by the plan that stands when the state moves.
      replacePlan(plan.shortenedTo(now().until(killed), waited));
      begin(trigger, LogContext.NONE);
    } else {
      begun().ifPresent(now -> shorten(killed, call.until(now.start())));
    }
  }

  /**
   * Called when the process exits without a shutdown, since start-up is not over.
   *
   * @return when it is halted; empty if something else was first
   */
  Optional<Deadline> quit() {
    if (!advance(new Quitting(now()))) {
      return Optional.empty();
    }
    report.completeExceptionally(
        new IllegalStateException("The process exits before it has started: nothing to drain"));
    return halt();
  }

  private boolean advance(Ending next) {
    if (!state.compareAndSet(Outside.IDLE, next)) {
      return false;
    }
    halter.arm(haltAt(next));
    onChange.run();
    return true;
  }

  private Deadline now() {
    return new Deadline(ticker, ticker.read());
  }

  /** Ends the process within the plan's time where a shutdown cannot begin; a last resort. */
  void armHalter() {
    halter.arm(now().plus(plan.untilHalt()).nanos());
  }

  /**
   * Rules out every shutdown.
   *
   * @param why in words, for the message of a later {@code begin}
   * @return whether that was still possible
   */
  boolean uninstall(String why) {
    if (!state.compareAndSet(Outside.IDLE, Outside.UNINSTALLED)) {
      return false;
    }
    halter.stop();
    onChange.run();
    report.completeExceptionally(new IllegalStateException("No shutdown can begin: " + why));
    return true;
  }

  boolean isIdle() {
    return state.get() == Outside.IDLE;
  }

  /** Returns what has begun, if it has. */
  Optional<Begun> begun() {
    return state.get() instanceof Begun begun ? Optional.of(begun) : Optional.empty();
  }

  Optional<Trigger> trigger() {
    return begun().map(Begun::trigger);
  }

  /** Returns when the process is halted, if it ends. */
  Optional<Deadline> halt() {
    return state.get() instanceof Ending ending
        ? Optional.of(Deadline.movable(ticker, () -> haltAt(ending)))
        : Optional.empty();
  }

  private long haltAt(Ending ending) {
    return ending.start().plus(plan.untilHalt()).nanos();
  }

  /** The application has called an exit itself, whatever has begun the shutdown. */
  void exitCalled() {
    exitCalled = true;
  }

  /** Returns whether this library still has to end the process, with its exit code. */
  boolean isExitOurs() {
    return !exitCalled
        && state.get() instanceof Begun begun
        && begun.trigger().kind() != Kind.JVM_EXIT;
  }

  /** Opens when the sequence has ended, and the exit is next. */
  CountDownLatch done() {
    return done;
  }

  /** Completes all that {@link #completion} returned; dependents run on the calling thread. */
  void complete(ShutdownReport result) {
    report.complete(result);
  }

  /** Returns a future of the report, for one caller to complete, cancel or time out. */
  CompletableFuture<ShutdownReport> completion() {
    return report.copy();
  }
}
