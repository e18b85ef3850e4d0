package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who is in flight, for the report: the connections that list their own requests, and a fixed table
 * of slots for the others, a row for each stripe.
 *
 * <p>Each entry draws a ticket from its stripe's counter, which nobody else draws, and the ticket
 * names its slot: taking it and clearing it are plain stores, without an atomic operation. If that
 * slot is still occupied, by a request slower than all that came since, the newcomer takes one of
 * the row's overflow slots by compare-and-set; if those are taken too it goes into a map. Only
 * where dozens are in flight for each stripe does anybody pay for that. Nobody is left out: when
 * the drain times out, who is listed here is answered.
 *
 * <p>Two entries whose tickets name one slot can both find it free, if one is suspended right there
 * while {@link #DIRECT} others enter on its stripe. Then one of them is not listed; both are
 * counted.
 */
final class InFlightTable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Permit[].class);

  /** Slots per stripe that tickets name; a power of two. */
  static final int DIRECT = 16;

  /** Slots per stripe; 32 compressed references are 128 bytes, two cache lines. */
  static final int ROW = 32;

  private final @Nullable Permit[] slots;

  /** Those that found their row full; their slot is {@link #inMap()}. */
  private final Set<Permit> others = ConcurrentHashMap.newKeySet();

  private final Set<EventLoopPermits<?>> attached = ConcurrentHashMap.newKeySet();

  InFlightTable(int stripes) {
    // One row in front, so that the array's header shares no line with a slot.
    slots = new Permit[(stripes + 1) * ROW];
  }

  /**
   * Lists {@code permit}.
   *
   * @param ticket the number drawn from its stripe's counter
   * @return its slot
   */
  int add(Permit permit, int stripe, long ticket) {
    int first = (stripe + 1) * ROW;
    int slot = first + ((int) ticket & (DIRECT - 1));
    if (slots[slot] == null) {
      SLOT.setRelease(slots, slot, permit);
      return slot;
    }
    return addToOverflow(permit, first + DIRECT);
  }

  private int addToOverflow(Permit permit, int first) {
    for (int slot = first; slot < first + ROW - DIRECT; slot++) {
      if (slots[slot] == null && SLOT.compareAndSet(slots, slot, null, permit)) {
        return slot;
      }
    }
    others.add(permit);
    return inMap();
  }

  private int inMap() {
    return slots.length;
  }

  /**
   * Clears the slot, unless it is another's by now.
   *
   * @param slot negative if the permit was never listed
   */
  void remove(Permit permit, int slot) {
    if (slot == inMap()) {
      others.remove(permit);
    } else if (slot >= 0 && slots[slot] == permit) {
      SLOT.setRelease(slots, slot, null);
    }
  }

  void attach(EventLoopPermits<?> connection) {
    attached.add(connection);
  }

  void detach(EventLoopPermits<?> connection) {
    attached.remove(connection);
  }

  Set<EventLoopPermits<?>> attached() {
    return attached;
  }

  /** Returns what is listed now, in no order. */
  List<InFlight> list() {
    List<InFlight> listed = new ArrayList<>();
    for (int slot = 0; slot < slots.length; slot++) {
      Permit permit = (Permit) SLOT.getAcquire(slots, slot);
      if (permit != null) {
        listed.add(permit);
      }
    }
    listed.addAll(others);
    attached.forEach(connection -> listed.addAll(connection.held()));
    return listed;
  }
}
