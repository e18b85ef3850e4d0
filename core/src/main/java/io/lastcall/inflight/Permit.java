package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request's stay: {@link RequestGate#enter} admits it, {@link #release()} ends it, once.
 *
 * <p>Adapters extend it with what they know of the request, so that admission allocates nothing
 * else. An instance may be used again for the next request after it was released, by an owner that
 * can rule out a late release of the former one (a Netty handler on its event loop can).
 *
 * <p>{@link #release()} may be called from any thread, any number of times.
 */
public class Permit {
  private static final VarHandle HELD;

  static {
    try {
      HELD = MethodHandles.lookup().findVarHandle(Permit.class, "held", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Zero: not admitted, or released. Else the stripe of the entry, plus one. */
  @SuppressWarnings("unused") // through HELD
  private volatile int held;

  private int slot;
  private @Nullable RequestGate gate;

  /** Creates a permit that holds nothing yet. */
  protected Permit() {}

  /**
   * Ends the stay. Call it when the response has left, not when the handler returned.
   *
   * @return whether this call was the one that ended it; false if the permit was never admitted or
   *     is already released
   */
  public final boolean release() {
    int stripe = (int) HELD.getAndSet(this, 0) - 1;
    if (stripe < 0 || gate == null) {
      return false;
    }
    gate.exit(stripe, slot);
    return true;
  }

  /**
   * Says what this request is, such as {@code GET /orders}. Called when something is stuck, from
   * another thread, while the request may be running or ending. The default is {@code request}.
   */
  protected String description() {
    return "request";
  }

  /** Returns how long the request has been running, if the adapter knows. */
  protected Optional<Duration> age() {
    return Optional.empty();
  }

  /** Returns the thread that works on the request, if there is one and the adapter knows it. */
  protected Optional<Thread> thread() {
    return Optional.empty();
  }

  /** Written before the entry is counted; whoever releases was handed the permit after that. */
  final void hold(RequestGate gate, int stripe) {
    this.gate = gate;
    this.slot = -1;
    this.held = stripe + 1;
  }

  final void listedAt(int slot) {
    this.slot = slot;
  }

  /** Takes the stay back after a refusal, so that a release finds nothing to end. */
  final void revoke() {
    held = 0;
  }
}
