package io.lastcall.inflight;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Who is in flight, for the report: a fixed table of slots, a row for each stripe. Entering takes
 * the first free slot of the stripe's row with one compare-and-set; leaving clears it with one
 * store. When a row is full the request is counted but not listed, so the cost is bounded.
 */
final class InFlightTable {
  /** Slots per stripe; 32 compressed references are 128 bytes, two cache lines. */
  private static final int ROW = 32;

  private static final int UNLISTED = -1;

  private final AtomicReferenceArray<Permit> slots;

  InFlightTable(int stripes) {
    slots = new AtomicReferenceArray<>(stripes * ROW);
  }

  /** Lists {@code permit}; returns its slot, or a negative number if the row is full. */
  int add(Permit permit, int stripe) {
    int first = stripe * ROW;
    for (int slot = first; slot < first + ROW; slot++) {
      if (slots.getPlain(slot) == null && slots.compareAndSet(slot, null, permit)) {
        return slot;
      }
    }
    return UNLISTED;
  }

  void remove(int slot) {
    if (slot >= 0) {
      slots.setRelease(slot, null);
    }
  }

  /** Returns the permits listed now, in no order. */
  List<Permit> list() {
    List<Permit> listed = new ArrayList<>();
    for (int slot = 0; slot < slots.length(); slot++) {
      Permit permit = slots.getAcquire(slot);
      if (permit != null) {
        listed.add(permit);
      }
    }
    return listed;
  }
}
