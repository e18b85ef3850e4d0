package io.lastcall.inflight;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one connection, used again for its later requests, and the connection's part of
 * the list of requests in flight: a request neither allocates nor is listed by itself.
 *
 * <p>Not thread-safe, except for what the gate reads: calls come one after the other, as on an
 * event loop. A connection may move to another event loop; the list still names the first one's
 * thread.
 *
 * @param <P> the adapter's kind of permit
 */
public final class EventLoopPermits<P extends EventLoopPermit> {
  /** The most permits kept for later requests, after a burst of more. */
  static final int KEPT = 128;

  final RequestGate gate;
  final Thread thread = Thread.currentThread();
  final int stripe;
  final AcceptedConnection connection;
  private final Supplier<P> creator;

  /** All permits, in no order, with nulls at the end. Written again after each change. */
  private volatile @Nullable EventLoopPermit[] all = {};

  private int size;
  private @Nullable P free;
  private int frees;
  private boolean closed;

  /**
   * Creates those of a connection that the calling thread serves.
   *
   * @param connection as the gate knows it
   * @param creator makes a permit when none is free
   */
  public EventLoopPermits(RequestGate gate, AcceptedConnection connection, Supplier<P> creator) {
    this.gate = gate;
    this.creator = creator;
    this.stripe = gate.counters.stripe();
    this.connection = connection;
  }

  /** Returns a permit that holds nothing, for the connection's next request. */
  @SuppressWarnings("unchecked") // all permits of this connection are of its kind
  public P take() {
    P taken = free;
    if (taken == null) {
      return create();
    }
    free = (P) taken.next;
    frees--;
    return taken;
  }

  private P create() {
    P created = creator.get();
    created.connection = this;
    created.index = size;
    EventLoopPermit[] permits = all;
    if (size == permits.length) {
      permits = Arrays.copyOf(permits, Math.max(1, size * 2));
    }
    permits[size++] = created;
    all = permits;
    if (!closed) {
      gate.table.attached.add(this);
    }
    return created;
  }

  /** Takes back a permit that is released and that nothing refers to any more. */
  public void keep(P permit) {
    if (frees < KEPT) {
      permit.next = free;
      free = permit;
      frees++;
    } else {
      drop(permit);
    }
  }

  /** Takes back a permit that something may still refer to: it is not used again. */
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
   * Must be called once the connection has closed, or takes no more requests: without it the
   * connection is never garbage. A request in flight stays counted until it is released, but is not
   * listed any more.
   */
  public void close() {
    closed = true;
    gate.table.attached.remove(this);
  }

  /** Returns how many permits are in use or kept. */
  int size() {
    return size;
  }

  /** Returns the permits in flight, from any thread; a moment's view. */
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
