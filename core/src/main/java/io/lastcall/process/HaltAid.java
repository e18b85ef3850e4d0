package io.lastcall.process;

import io.lastcall.time.Ticker;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Gets a halt through where the JVM does not by itself, on a thread of its own: nobody waits for
 * it, and whatever it cannot do leaves the halt as it is.
 */
final class HaltAid {
  /** What it does. */
  interface Means {
    /**
     * Helps until {@link #isArmed()} is false, or there is no more that it can do; only called for
     * a halt that is to come.
     */
    void help(HaltAid halt) throws Throwable;
  }

  /** Makes ready while nothing is wrong yet. */
  interface Preparation {
    /**
     * Prepares; may wait for a better moment, by {@link #await} and {@link #awaitArmed}.
     *
     * @return null if there is nothing to do
     */
    @Nullable Means prepare(HaltAid halt) throws Throwable;
  }

  private enum State {
    WAITING,
    ARMED,
    STOPPED
  }

  private final Ticker ticker;
  private final Preparation preparation;
  private final Thread thread = Threads.daemon("halt-aid", this::run);

  /** With {@link #code}, written before {@link #state}. */
  private long at;

  private int code;
  private volatile State state = State.WAITING;

  /**
   * @param preparation runs on the thread
   */
  HaltAid(Ticker ticker, Preparation preparation) {
    this.ticker = ticker;
    this.preparation = preparation;
  }

  /** Returns what helps this JVM. */
  static HaltAid ofThisJvm() {
    return new HaltAid(
        Ticker.system(),
        Runtime.version().feature() < ForeignFunctions.SINCE
            ? halt -> new CollectionStop(CollectionStop::isHeapFull)
            : KernelTimer::ifAllowed);
  }

  /** Starts its thread, if there can be one. */
  void start() {
    Threads.start(thread);
  }

  /**
   * A halt is to come. Never throws, allocates nothing.
   *
   * @param time in {@link Ticker#read()}'s terms
   */
  void arm(long time, int exitCode) {
    at = time;
    code = exitCode;
    change(State.ARMED);
  }

  /** There will be no halt. */
  void stop() {
    change(State.STOPPED);
  }

  private void change(State next) {
    state = next;
    LockSupport.unpark(thread);
  }

  private void run() {
    try {
      Means means = preparation.prepare(this);
      if (means != null) {
        while (state == State.WAITING) {
          park();
        }
        if (isArmed()) {
          means.help(this);
        }
      }
    } catch (Throwable t) {
      // No memory, say: then the halt goes without.
    }
  }

  /** Returns whether a halt is to come. */
  boolean isArmed() {
    return state == State.ARMED;
  }

  /** Returns whether there will be no halt. */
  boolean isStopped() {
    return state == State.STOPPED;
  }

  /** Returns the time from now to the halt; negative behind it. */
  long remainingNanos() {
    return at - ticker.read();
  }

  int exitCode() {
    return code;
  }

  /** Waits for so long, unless a halt is to come, or none will. */
  void awaitArmed(long nanos) {
    awaitIn(State.WAITING, nanos);
  }

  /** Waits for so long while a halt is to come. Allocates nothing. */
  void await(long nanos) {
    awaitIn(State.ARMED, nanos);
  }

  private void awaitIn(State current, long nanos) {
    long end = ticker.read() + nanos;
    while (state == current && ticker.read() - end < 0) {
      // A thread that stays interrupted cannot park.
      Thread.interrupted();
      ticker.parkUntil(this, end);
    }
  }

  private void park() {
    Thread.interrupted();
    LockSupport.park(this);
  }

  /** Returns what its thread does. */
  Thread.State threadState() {
    return thread.getState();
  }
}
