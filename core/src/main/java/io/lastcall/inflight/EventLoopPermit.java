package io.lastcall.inflight;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * As {@link Permit}, for a handler whose calls come one after the other, as those of an event loop
 * do: what makes {@link Permit} one-shot costs no atomic step here. One of its connection's {@link
 * EventLoopPermits}, from which it is taken for a request, and to which it returns for a later one.
 */
public abstract class EventLoopPermit extends InFlight {
  private @Nullable EventLoopPermits<?> connection;

  /** The next of those that are free. */
  @Nullable EventLoopPermit next;

  /** The place among all of the connection. */
  int index;

  /**
   * Whether a request is in flight. Other threads than the connection's read it for a moment's
   * list, and after a read of the counters, to which {@link #release} adds after it has cleared it.
   */
  private boolean held;

  /** Creates a permit that holds nothing yet; see {@link EventLoopPermits#take}. */
  protected EventLoopPermit() {}

  final void bind(EventLoopPermits<?> owner, int place) {
    connection = owner;
    index = place;
  }

  /**
   * Asks to enter, as {@link RequestGate#enter} does.
   *
   * @return true if admitted, and {@link #release()} is owed; false if refused, and nothing is owed
   * @throws IllegalStateException if the request before is not released, or the permit is nobody's
   */
  public final boolean enter() {
    EventLoopPermits<?> owner = connection;
    if (owner == null || held) {
      throw new IllegalStateException(
          "enter() of a permit that is "
              + (held ? "in use" : "not of EventLoopPermits.take()")
              + "; allowed: one that was taken, for one request at a time");
    }
    held = owner.gate().count(owner.stripe(), owner.acceptTime());
    return held;
  }

  /**
   * Ends the stay. Call it when the response has left.
   *
   * @return whether this call was the one that ended it; false if there is nothing to end
   */
  public final boolean release() {
    EventLoopPermits<?> owner = connection;
    if (!held || owner == null) {
      return false;
    }
    held = false;
    owner.gate().exit(owner.stripe());
    return true;
  }

  /** Returns the event loop: whatever blocks it keeps this request from ending. */
  @Override
  protected final Optional<Thread> thread() {
    return Optional.ofNullable(connection).map(EventLoopPermits::thread);
  }

  @Override
  final boolean isHeld() {
    return held;
  }
}
