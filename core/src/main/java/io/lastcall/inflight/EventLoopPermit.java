package io.lastcall.inflight;

import java.util.Optional;

/**
 * The stays of all requests of one connection, one after the other, for a handler that does all its
 * work on one thread. Nobody else can release it, so what makes {@link Permit} one-shot costs no
 * atomic step here, and nothing is allocated or listed for each request: the connection is listed
 * once.
 *
 * <p>Bound to the thread that creates it: {@link #enter()}, {@link #release()} and {@link
 * #retire()} are refused on any other. A connection that moves to another event loop retires this
 * one there, before it moves, and creates another.
 */
public class EventLoopPermit extends InFlight {
  private final RequestGate gate;
  private final Thread owner = Thread.currentThread();
  private final int stripe;

  /**
   * Whether a request is in flight. Only the owner writes it. Others read it without order, for a
   * moment's list.
   */
  private boolean held;

  private boolean listed;

  /** Creates a permit of the calling thread that holds nothing yet. */
  protected EventLoopPermit(RequestGate gate) {
    this.gate = gate;
    this.stripe = gate.counters().stripe();
  }

  /**
   * Asks to enter, as {@link RequestGate#enter} does.
   *
   * @return true if admitted, and {@link #release()} is owed; false if refused, and nothing is owed
   * @throws IllegalStateException on another thread, or if the request before is not released
   */
  public final boolean enter() {
    if (Thread.currentThread() != owner || held) {
      throw misuse("enter()");
    }
    if (!listed) {
      listed = true;
      gate.table().attach(this);
    }
    held = gate.count(stripe);
    return held;
  }

  /**
   * Ends the stay. Call it when the response has left.
   *
   * @return whether this call was the one that ended it; false if there is nothing to end
   * @throws IllegalStateException on another thread
   */
  public final boolean release() {
    if (Thread.currentThread() != owner) {
      throw misuse("release()");
    }
    if (!held) {
      return false;
    }
    held = false;
    gate.exit(stripe);
    return true;
  }

  /**
   * Says that the connection is gone: ends the stay, if there is one, and the listing. Owed once
   * after the first {@link #enter()}, or the permit is never collected.
   *
   * @throws IllegalStateException on another thread
   */
  public final void retire() {
    release();
    listed = false;
    gate.table().detach(this);
  }

  @Override
  protected final Optional<Thread> thread() {
    return Optional.of(owner);
  }

  final boolean isHeld() {
    return held;
  }

  private IllegalStateException misuse(String call) {
    return new IllegalStateException(
        "%s on %s, permit of %s, %s; allowed: on that thread, one request at a time"
            .formatted(
                call, Thread.currentThread().getName(), owner.getName(), held ? "held" : "free"));
  }
}
