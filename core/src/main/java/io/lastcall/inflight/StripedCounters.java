package io.lastcall.inflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Two striped counters that only grow: how much work started, and how much finished. The two cells
 * of a stripe are neighbours: a thread that has moved to another CPU fetches one cache line.
 *
 * <p><b>Idle test.</b> {@link #idle()} sums {@code finished} first and {@code started} second, and
 * says idle if the sums are equal. Proof that nothing was in flight at the instant {@code t}
 * between the two sums: cells only grow, and each add to {@code started} precedes its add to {@code
 * finished}, so firstSum &lt;= finished(t) &lt;= started(t) &lt;= secondSum; if the outer two are
 * equal, so are the inner two. In the other order the inequality fails, and a false idle is seen in
 * practice.
 *
 * <p><b>Memory order.</b> Every add is a {@link VarHandle#getAndAdd} and every read in a sum is a
 * volatile read, so all of them, together with the gate's volatile mode, are in one total order
 * that agrees with program order (Java memory model, synchronization actions), also on ARM. {@link
 * java.util.concurrent.atomic.LongAdder} does not give that: its cells are changed by a
 * compare-and-set with release semantics only, which on ARM lets the later read of the gate's mode
 * overtake the add.
 */
final class StripedCounters {
  private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

  /** Longs per stripe: 128 bytes, since CPUs prefetch cache lines in pairs. */
  private static final int STRIDE = 16;

  /** Where in a stripe. */
  private static final int STARTED = 0;

  private static final int FINISHED = 1;

  private static final int MAX_STRIPES = 64;

  private final long[] cells;
  private final int stripes;
  private final int shift;

  /**
   * @param processors the CPUs to spread over; four stripes each, at most 64, keep two running
   *     threads from sharing one most of the time
   */
  StripedCounters(int processors) {
    int wanted = Math.min(MAX_STRIPES, Math.max(1, processors) * 4);
    stripes = Integer.highestOneBit(wanted * 2 - 1);
    shift = Integer.SIZE - Integer.numberOfTrailingZeros(stripes);
    // One stride in front, so that the array's header shares no line with a cell.
    cells = new long[(stripes + 1) * STRIDE];
  }

  int stripes() {
    return stripes;
  }

  /** Returns the calling thread's stripe: Fibonacci hashing, as consecutive ids must spread. */
  int stripe() {
    return ((int) Thread.currentThread().getId() * 0x9E3779B9) >>> shift;
  }

  /** Returns how many had started on this stripe before: a number that is unique there. */
  long start(int stripe) {
    return (long) CELL.getAndAdd(cells, index(stripe, STARTED), 1L);
  }

  void finish(int stripe) {
    CELL.getAndAdd(cells, index(stripe, FINISHED), 1L);
  }

  /** Returns whether nothing was in flight at some instant during this call. */
  boolean idle() {
    long firstSum = sumFinished();
    return firstSum == sumStarted();
  }

  /** As {@link #idle()} for one stripe, by the same proof: a cheap reason not to sum. */
  boolean idle(int stripe) {
    long first = (long) CELL.getVolatile(cells, index(stripe, FINISHED));
    return first == (long) CELL.getVolatile(cells, index(stripe, STARTED));
  }

  long sumStarted() {
    return sum(STARTED);
  }

  long sumFinished() {
    return sum(FINISHED);
  }

  private long sum(int counter) {
    long sum = 0;
    for (int stripe = 0; stripe < stripes; stripe++) {
      sum += (long) CELL.getVolatile(cells, index(stripe, counter));
    }
    return sum;
  }

  private static int index(int stripe, int counter) {
    return (stripe + 1) * STRIDE + counter;
  }
}
