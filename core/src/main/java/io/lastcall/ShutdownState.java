package io.lastcall;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Halter;
import io.lastcall.process.LogContext;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a shutdown has begun, and who exits. Thread-safe.
 *
 * <p>One word, {@link #state}, moves once: from {@link Idle} to {@link Begun} (the first trigger
 * wins), to {@link Quitting} (a signal before start-up was over) or to {@link Uninstalled}. The
 * thread that wins one of the first two arms the halter: from then on the process ends in time,
 * whatever fails.
 */
final class ShutdownState {
  private sealed interface State {}

  private record Idle() implements State {}

  /** The process exits without a shutdown, and is halted then. */
  private record Quitting(Deadline halt) implements State {}

  /** No shutdown can begin any more. */
  private record Uninstalled(String why) implements State {}

  /**
   * A shutdown has begun.
   *
   * @param trigger what began it
   * @param begunBy the log context of the thread that began it
   * @param start the moment
   */
  record Begun(Trigger trigger, LogContext begunBy, Deadline start) implements State {}

  private static final State IDLE = new Idle();

  private final ShutdownPlan plan;
  private final Ticker ticker;
  private final Halter halter;
  private final AtomicReference<State> state = new AtomicReference<>(IDLE);
  private final CompletableFuture<ShutdownReport> report = new CompletableFuture<>();
  private final CompletableFuture<ShutdownReport> completion = report.copy();
  private final CountDownLatch done = new CountDownLatch(1);

  private volatile Runnable onChange = () -> {};
  private volatile boolean exitCalled;

  ShutdownState(ShutdownPlan plan, Ticker ticker, Halter halter) {
    this.plan = plan;
    this.ticker = ticker;
    this.halter = halter;
  }

  ShutdownPlan plan() {
    return plan;
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
   * Begins, unless it has begun, quits or is uninstalled. The halter is armed before it returns.
   *
   * @return whether this trigger was the first
   */
  boolean begin(Trigger trigger, LogContext begunBy) {
    Begun begun = new Begun(trigger, begunBy, now());
    return advance(begun, begun.start().plus(plan.untilHalt()));
  }

  /**
   * Says that the process exits without a shutdown, since start-up is not over.
   *
   * @return when it is halted; empty if something else was first
   */
  Optional<Deadline> quit() {
    Deadline halt = now().plus(plan.untilHalt());
    if (!advance(new Quitting(halt), halt)) {
      return Optional.empty();
    }
    report.completeExceptionally(
        new IllegalStateException("The process exits before it has started: nothing to drain"));
    return Optional.of(halt);
  }

  private boolean advance(State next, Deadline halt) {
    if (!state.compareAndSet(IDLE, next)) {
      return false;
    }
    halter.arm(halt.nanos());
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
    if (!state.compareAndSet(IDLE, new Uninstalled(why))) {
      return false;
    }
    halter.stop();
    onChange.run();
    report.completeExceptionally(new IllegalStateException("No shutdown can begin: " + why));
    return true;
  }

  boolean isIdle() {
    return state.get() == IDLE;
  }

  /** Returns what has begun, if it has. */
  Optional<Begun> begun() {
    return state.get() instanceof Begun begun ? Optional.of(begun) : Optional.empty();
  }

  /** Returns when a process that exits before it has started is halted; else empty. */
  Optional<Deadline> quitting() {
    return state.get() instanceof Quitting quitting
        ? Optional.of(quitting.halt())
        : Optional.empty();
  }

  Optional<Trigger> trigger() {
    return begun().map(Begun::trigger);
  }

  /** An exit that somebody else has called runs, whatever has begun the shutdown. */
  void exitCalled() {
    exitCalled = true;
  }

  /**
   * Returns whether this library still has to end the process, with its exit code. Allocates
   * nothing: it is asked right before the exit, and the heap may be full.
   */
  boolean isExitOurs() {
    return !exitCalled
        && state.get() instanceof Begun begun
        && begun.trigger().kind() != Kind.JVM_EXIT;
  }

  /** The sequence is over, and the exit is next. */
  void sequenceDone() {
    done.countDown();
  }

  /** Opens when the sequence is over. */
  CountDownLatch done() {
    return done;
  }

  /** Completes what {@link #completion} returns; its dependents run on the calling thread. */
  void complete(ShutdownReport result) {
    report.complete(result);
  }

  /** Returns a future of the report; a caller who completes it changes nothing for others. */
  CompletableFuture<ShutdownReport> completion() {
    return completion;
  }
}
