package io.lastcall.inflight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one connection, used again for its later requests, and its part of the list of
 * what is in flight. The gate lists the connection once, so a request neither allocates nor is
 * listed by itself.
 *
 * <p>Not thread-safe, but for what the gate reads: calls come one after the other, as on an event
 * loop. A connection may move to another event loop as long as they do; the list then still names
 * the thread of the first.
 *
 * @param <P> the adapter's kind of permit
 */
public final class EventLoopPermits<P extends EventLoopPermit> {
  /** Permits kept for later requests; behind a burst of more, the rest is left to the collector. */
  static final int KEPT = 128;

  private final RequestGate gate;
  private final Supplier<P> creator;
  private final Thread thread = Thread.currentThread();
  private final int stripe;
  private final long acceptTime;

  /** All there are, in no order, with nulls at the end. Written again after each change. */
  private volatile @Nullable EventLoopPermit[] all = {};

  private int size;
  private @Nullable P spare;
  private int spares;
  private boolean listed;
  private boolean closed;

  /**
   * Creates those of a connection that the calling thread serves and that has just been accepted.
   *
   * @param creator makes a permit, when no former one is free
   */
  public EventLoopPermits(RequestGate gate, Supplier<P> creator) {
    this.gate = gate;
    this.creator = creator;
    this.stripe = gate.counters().stripe();
    this.acceptTime = gate.acceptTime();
  }

  /** Returns a permit that holds nothing, for the connection's next request. */
  public P take() {
    P taken = spare;
    if (taken == null) {
      return create();
    }
    spare = next(taken);
    spares--;
    return taken;
  }

  /** All permits of this connection are of its kind. */
  @SuppressWarnings("unchecked")
  private @Nullable P next(P permit) {
    return (P) permit.next;
  }

  private P create() {
    P created = creator.get();
    created.bind(this, size);
    EventLoopPermit[] permits = all;
    if (size == permits.length) {
      permits = Arrays.copyOf(permits, Math.max(1, size * 2));
    }
    permits[size++] = created;
    all = permits;
    if (!listed && !closed) {
      listed = true;
      gate.table().attach(this);
    }
    return created;
  }

  /** Takes {@code permit} back: it is released, and nothing refers to it any more. */
  public void keep(P permit) {
    if (spares < KEPT) {
      permit.next = spare;
      spare = permit;
      spares++;
    } else {
      drop(permit);
    }
  }

  /** As {@link #keep}, for one that something may still refer to: it is not used again. */
  public void drop(P permit) {
    EventLoopPermit[] permits = all;
    EventLoopPermit last = permits[--size];
    if (last != null) {
      permits[permit.index] = last;
      last.index = permit.index;
    }
    permits[size] = null;
    all = size < permits.length / 4 ? Arrays.copyOf(permits, permits.length / 2) : permits;
  }

  /**
   * Says that the connection is gone, or takes no more requests. Owed once, or it is never
   * collected. What is still in flight stays counted until it is released, but is listed no more.
   */
  public void close() {
    closed = true;
    if (listed) {
      listed = false;
      gate.table().detach(this);
    }
  }

  /** Returns how many permits are in use or kept. */
  int size() {
    return size;
  }

  RequestGate gate() {
    return gate;
  }

  int stripe() {
    return stripe;
  }

  long acceptTime() {
    return acceptTime;
  }

  Thread thread() {
    return thread;
  }

  /** Returns those that are in flight, from any thread; a moment's view. */
  List<InFlight> held() {
    List<InFlight> held = new ArrayList<>();
    for (EventLoopPermit permit : all) {
      if (permit != null && permit.isHeld()) {
        held.add(permit);
      }
    }
    return held;
  }
}
