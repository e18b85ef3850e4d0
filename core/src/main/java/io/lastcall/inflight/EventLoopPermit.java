package io.lastcall.inflight;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Permit}, for a handler whose calls come one after the other, as those of an event loop
 * do: it needs no atomic step to be one-shot. Taken from its connection's {@link EventLoopPermits}
 * for a request, and returned to them for a later one.
 */
public abstract class EventLoopPermit extends InFlight {
  /** The permits of its connection; null until it is taken. */
  @Nullable EventLoopPermits<?> connection;

  /** The next free permit. */
  @Nullable EventLoopPermit next;

  /** The place among all permits of the connection. */
  int index;

  /**
   * Whether a request is in flight. Other threads read it for a moment's list, and after a read of
   * the counters, to which {@link #release} adds after it has cleared it.
   */
  private boolean held;

  /** Creates a permit that holds nothing yet; see {@link EventLoopPermits#take}. */
  protected EventLoopPermit() {}

  /**
   * Asks to enter, as {@link RequestGate#enter} does.
   *
   * @return true if admitted: call {@link #release()} then; false if refused
   * @throws IllegalStateException if the request before is not released, or the permit was not
   *     taken from {@link EventLoopPermits}
   */
  public final boolean enter() {
    EventLoopPermits<?> owner = connection;
    if (owner == null || held) {
      throw new IllegalStateException(
          "enter() of a permit that is "
              + (held ? "in use" : "not of EventLoopPermits.take()")
              + "; allowed: one that was taken, for one request at a time");
    }
    held = owner.gate.count(owner.stripe, owner.connection);
    return held;
  }

  /**
   * Ends the stay. Call it when the response has left.
   *
   * @return whether this call ended it; false if the permit is not admitted
   */
  public final boolean release() {
    EventLoopPermits<?> owner = connection;
    if (!held || owner == null) {
      return false;
    }
    held = false;
    owner.gate.exit(owner.stripe);
    return true;
  }

  /** Returns the event loop: while it is blocked, this request cannot end. */
  @Override
  protected final Optional<Thread> thread() {
    return Optional.ofNullable(connection).map(owner -> owner.thread);
  }

  @Override
  final boolean isHeld() {
    return held;
  }
}
