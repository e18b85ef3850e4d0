package io.lastcall.process;

import io.lastcall.time.Ticker;
import java.util.concurrent.locks.LockSupport;

/**
 * The last guard: ends the process at the deadline, whatever hangs. A thread of its own, started
 * when nothing is wrong yet, that parks and calls {@link Jvm#halt}: no log, no lock, no allocation,
 * nothing left to load or link. It waits for nobody, and whatever is thrown at it, it tries again.
 */
public final class Halter {
  /**
   * Any moment ahead. {@link #start} parks until then once, with the permit in hand, so that the
   * park returns at once.
   */
  private static final long AHEAD_NANOS = 1_000_000;

  private final Jvm jvm;
  private final Ticker ticker;
  private final int code;
  private final Thread thread;

  private volatile boolean armed;
  private volatile boolean stopped;

  /** The {@link Ticker#read()} value to halt at; written before {@link #armed}. */
  private long at;

  /**
   * @param code the exit code that says "halted"
   */
  public Halter(Jvm jvm, Ticker ticker, int code) {
    this.jvm = jvm;
    this.ticker = ticker;
    this.code = code;
    this.thread = Threads.daemon("halter", this::guard);
  }

  /** Executes its path once, the park too, and starts to guard. */
  public void start() {
    jvm.prepareHalt();
    long now = ticker.read();
    waitFor(now);
    LockSupport.unpark(Thread.currentThread());
    waitFor(now + AHEAD_NANOS);
    thread.start();
  }

  /**
   * Sets the moment of the halt. Never throws; the first call counts.
   *
   * @param time in {@link Ticker#read()}'s terms
   */
  public void arm(long time) {
    if (!armed) {
      at = time;
      armed = true;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the guard, if it is not armed: the library is uninstalled. */
  public void stop() {
    if (!armed) {
      stopped = true;
      LockSupport.unpark(thread);
    }
  }

  private void guard() {
    while (!stopped) {
      // A thread that stays interrupted cannot park.
      Thread.interrupted();
      try {
        if (!armed) {
          LockSupport.park(this);
        } else if (waitFor(at)) {
          jvm.halt(code);
          return; // in a simulated process only
        }
      } catch (Throwable t) {
        // Nothing can be done about it here but to try again.
      }
    }
  }

  /** Parks once, unless it is time already; returns whether it is. */
  private boolean waitFor(long time) {
    if (ticker.read() - time >= 0) {
      return true;
    }
    ticker.parkUntil(this, time);
    return false;
  }
}
