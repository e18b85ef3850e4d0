package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One request's stay: {@link RequestGate#enter} admits it, {@link #release()} ends it, once, from
 * any thread.
 *
 * <p>Adapters extend it with what they know of the request, so that admission allocates nothing
 * else. An instance may be used for the next request once a late release of the former one is ruled
 * out. On an event loop an {@link EventLoopPermit} is cheaper.
 */
public class Permit extends InFlight {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(Permit.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /**
   * Zero: not admitted, or released. Else the stripe of the entry and the place in the table, in
   * one word: with the header and the gate that is 20 bytes, so that an adapter's permit with one
   * reference of its own still fits into 24.
   */
  @SuppressWarnings("unused") // through HELD
  private int held;

  private @Nullable RequestGate gate;

  /** Creates a permit that holds nothing yet. */
  protected Permit() {}

  /**
   * Ends the stay. Call it when the response has left, not when the handler returned.
   *
   * @return whether this call ended it; false if the permit was never admitted or is already
   *     released
   */
  public final boolean release() {
    int place = (int) HELD.getAndSet(this, 0);
    if (place == 0 || gate == null) {
      return false;
    }
    gate.exit(this, place);
    return true;
  }

  @Override
  final boolean isHeld() {
    return (int) HELD.getVolatile(this) != 0;
  }

  /**
   * Called after the count: if something fails in between, a request never ends, and costs a
   * timeout; in the other order, one could end without having begun, and the idle test would be
   * wrong. A plain write: the releasing thread gets the permit after it.
   *
   * @param place not zero
   */
  final void hold(RequestGate gate, int place) {
    this.gate = gate;
    this.held = place;
  }
}
