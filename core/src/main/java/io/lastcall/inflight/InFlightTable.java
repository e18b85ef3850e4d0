package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The requests in flight, for the report: connections that list their own requests, and a fixed
 * table of slots for the others, a row for each stripe.
 *
 * <p>Each entry draws a ticket from its stripe's counter, and the ticket names its slot: taking and
 * clearing it are plain stores, without an atomic operation. If that slot is occupied by a slower
 * request, the entry takes one of the row's overflow slots by compare-and-set, and if those are
 * taken too it goes into a set: so only where dozens are in flight for each stripe. Every request
 * is listed: when the drain times out, the listed requests are answered. The one exception is an
 * entry that is suspended between reading and writing its slot while {@link #DIRECT} others enter
 * on its stripe; it is still counted.
 */
final class InFlightTable {
  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Permit[].class);

  /** Slots per stripe that tickets name; a power of two. */
  static final int DIRECT = 16;

  /** Slots per stripe; 32 compressed references are 128 bytes, two cache lines. */
  static final int ROW = 32;

  private final @Nullable Permit[] slots;

  /** The permits that found their row full; their slot is {@code slots.length}. */
  private final Set<Permit> others = ConcurrentHashMap.newKeySet();

  /** The connections that list their own requests. */
  final Set<EventLoopPermits<?>> attached = ConcurrentHashMap.newKeySet();

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
    return addToOverflow(permit, first);
  }

  private int addToOverflow(Permit permit, int first) {
    for (int slot = first + DIRECT; slot < first + ROW; slot++) {
      if (slots[slot] == null && SLOT.compareAndSet(slots, slot, null, permit)) {
        return slot;
      }
    }
    others.add(permit);
    return slots.length;
  }

  /**
   * Clears the slot, unless another permit has it by now.
   *
   * @param slot negative if the permit was never listed
   */
  void remove(Permit permit, int slot) {
    if (slot == slots.length) {
      others.remove(permit);
    } else if (slot >= 0 && slots[slot] == permit) {
      SLOT.setRelease(slots, slot, null);
    }
  }

  /** Returns the permits that are listed now, in no order. */
  List<InFlight> list() {
    List<InFlight> listed = new ArrayList<>(others);
    for (int slot = 0; slot < slots.length; slot++) {
      Permit permit = (Permit) SLOT.getAcquire(slots, slot);
      if (permit != null) {
        listed.add(permit);
      }
    }
    attached.forEach(connection -> listed.addAll(connection.held()));
    return listed;
  }
}
