package io.lastcall.process;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Memory kept for the halt. HotSpot halts under the lock of its heap. Where that is full, threads
 * that go on allocating hand the lock from one collection to the next, and the halt, which is woken
 * later than they ask again, may wait for ever. While some of this lasts nobody needs the lock.
 *
 * <p>A halt takes other locks before, and meets several collections. So this is let go of portion
 * by portion, by a thread of its own, the next once the last is collected: each is a chance for the
 * halt to get on. One portion is kept from the start on, the others soon after a shutdown has
 * begun.
 */
final class Ballast {
  private static final int PORTIONS = 5;
  private static final int PORTION_BYTES = 4 << 20;

  /** The portion that is kept from the start on is a 64th of a small heap. */
  private static final int HEAP_DIVISOR = 64;

  /** The others together are an eighth of what is free, where that is little. */
  private static final int FREE_DIVISOR = 32;

  /** No humongous object to G1, whatever its regions are. */
  private static final int PIECE_BYTES = 128 << 10;

  /** Most exits that wait for nobody are over by then, and need not share the cores with this. */
  private static final Duration REST = Duration.ofMillis(250);

  private static final long POLL_NANOS = 1_000_000;

  private enum Want {
    LITTLE,
    MUCH,
    HALT,
    NOTHING
  }

  private final Ticker ticker;
  private final Thread thread = Threads.daemon("ballast", this::run);
  private final Deque<Portion> portions = new ArrayDeque<>(PORTIONS);

  private volatile Want want = Want.LITTLE;
  private volatile int kept;

  Ballast(Ticker ticker) {
    this.ticker = ticker;
  }

  /**
   * Starts to keep it, if there can be a thread for it. The caller does not wait for the memory.
   */
  void start() {
    Threads.start(thread);
  }

  /** Keeps more from now on. Allocates nothing on the caller's thread. */
  void keepMuch() {
    change(Want.MUCH);
  }

  /** Lets go of it portion by portion, for a halt that is under way. Allocates nothing. */
  void letGo() {
    change(Want.HALT);
  }

  /** Lets go of it all: there will be no halt. */
  void drop() {
    change(Want.NOTHING);
  }

  private void change(Want next) {
    want = next;
    LockSupport.unpark(thread);
  }

  /** Returns how many portions are kept now. */
  int kept() {
    return kept;
  }

  /** Returns what its thread does. */
  Thread.State state() {
    return thread.getState();
  }

  private void run() {
    portions.add(new Portion(0));
    empty(); // so that nothing of it is loaded or linked late
    keep(1, Runtime.getRuntime().maxMemory() / HEAP_DIVISOR);
    awaitChangeFrom(Want.LITTLE);
    rest();
    if (want == Want.MUCH) {
      keep(PORTIONS, freeMemory() / FREE_DIVISOR);
      awaitChangeFrom(Want.MUCH);
    }
    empty();
  }

  private void empty() {
    while (!portions.isEmpty()) {
      Portion next = portions.remove();
      kept = portions.size();
      if (want != Want.NOTHING) {
        release(next);
      }
    }
  }

  private void keep(int total, long limit) {
    try {
      while (kept < total) {
        portions.add(new Portion((int) Math.min(PORTION_BYTES, limit)));
        kept = portions.size();
      }
    } catch (OutOfMemoryError e) {
      // Then there is no more.
    }
  }

  private static long freeMemory() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
  }

  private void awaitChangeFrom(Want now) {
    while (want == now) {
      // A thread that stays interrupted cannot park.
      Thread.interrupted();
      LockSupport.park(this);
    }
  }

  private void rest() {
    Deadline end = Deadline.after(REST, ticker);
    while (want == Want.MUCH && !end.hasPassed()) {
      Thread.interrupted();
      end.park(this);
    }
  }

  /** Returns once a collection has taken it. */
  private void release(Portion portion) {
    portion.pieces.clear();
    do {
      Thread.interrupted();
      LockSupport.parkNanos(this, POLL_NANOS);
    } while (!portion.last.refersTo(null));
  }

  private static final class Portion {
    private final List<byte[]> pieces = new ArrayList<>();
    private final WeakReference<byte @Nullable []> last;

    private Portion(int bytes) {
      byte[] piece = null;
      for (int size = PIECE_BYTES; size <= bytes; size += PIECE_BYTES) {
        piece = new byte[PIECE_BYTES];
        pieces.add(piece);
      }
      last = new WeakReference<>(piece);
    }
  }
}
