package io.lastcall.process;

import io.lastcall.time.Ticker;
import java.util.concurrent.locks.LockSupport;

/**
 * The last guard: halts the process at the deadline, whatever hangs. A thread of its own, started
 * at install, that parks and calls {@link Jvm#halt}: it logs nothing, takes no lock and allocates
 * nothing.
 */
public final class Halter {
  /** Between two attempts, where a SecurityManager refuses the halt for instance. */
  private static final long RETRY_NANOS = 100_000_000;

  private final Jvm jvm;
  private final Ticker ticker;
  private final int code;
  private final Thread thread = Threads.daemon("halter", this::guard);

  private volatile boolean armed;
  private volatile boolean stopped;

  /** When to halt, in the ticker's nanoseconds; written before {@link #armed}. */
  private volatile long at;

  /**
   * @param code the exit code of a halted process
   */
  public Halter(Jvm jvm, Ticker ticker, int code) {
    this.jvm = jvm;
    this.ticker = ticker;
    this.code = code;
  }

  public void start() {
    thread.start();
  }

  /**
   * Sets the time of the halt. Never throws; the first call counts.
   *
   * @param time as {@link Ticker#read()} returns it
   */
  public void arm(long time) {
    if (!armed) {
      at = time;
      armed = true;
      LockSupport.unpark(thread);
    }
  }

  /** Moves the halt of an armed halter to earlier; a later time changes nothing. */
  public synchronized void shorten(long time) {
    if (armed && time - at < 0) {
      at = time;
      LockSupport.unpark(thread);
    }
  }

  /** Ends the thread unless it is armed. */
  public void stop() {
    if (!armed) {
      stopped = true;
      LockSupport.unpark(thread);
    }
  }

  private void guard() {
    while (!stopped) {
      Thread.interrupted(); // a thread that stays interrupted cannot park
      try {
        if (!armed) {
          LockSupport.park(this);
        } else if (waitFor(at)) {
          jvm.halt(code);
          return; // in a simulated process only
        }
      } catch (Throwable t) {
        // All that can be done is to try again, but not at once: a refusal may be for good.
        LockSupport.parkNanos(this, RETRY_NANOS);
      }
    }
  }

  /** Parks once, unless the time has come; returns whether it has. */
  private boolean waitFor(long time) {
    if (ticker.read() - time >= 0) {
      return true;
    }
    ticker.parkUntil(this, time);
    return false;
  }
}
