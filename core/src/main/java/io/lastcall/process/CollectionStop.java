package io.lastcall.process;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * Keeps HotSpot from collecting while it is to halt with a full heap. It halts under the lock of
 * its heap, which threads that go on allocating pass from one collection to the next: the halt,
 * woken later than they ask again, is seconds late or never comes. A thread within a JNI critical
 * region stops that: up to JDK 21, the serial, parallel and G1 collectors wait for its end, and so
 * does whoever allocates, without the lock (JEP 423 tells how). A {@link Deflater} is in one while
 * it compresses, and some data take it seconds.
 *
 * <p>Only in a heap that is still full behind a collection, and not before the last moments:
 * whoever still answers in one that is not needs its collections.
 */
final class CollectionStop implements HaltAid.Means {
  /**
   * How long before the halt it begins to compress. Until it does, some collections may pass, of
   * tenths of a second each in a larger heap.
   */
  static final Duration LEAD = Duration.ofMillis(2_500);

  /**
   * How long before the halt it begins to look whether the heap is full. A look at a full heap
   * takes tenths of a second, too, and is over by {@link #LEAD} this way.
   */
  static final Duration WATCH = Duration.ofSeconds(10);

  static final Duration POLL = Duration.ofMillis(10);

  private static final long MAX_MEMORY = Runtime.getRuntime().maxMemory();

  /** A heap is full if less than this is free. */
  private static final long FULL = MAX_MEMORY / 16;

  /** More than a Deflater remembers, 32 KB, or it would find each block again at once. */
  private static final int BLOCK_BYTES = 40 << 10;

  /** Twice the lead, on the fastest machine measured: between two regions there are collections. */
  private static final int BLOCKS = 52;

  private final BooleanSupplier isFull;
  private final Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
  private final ByteBuffer slow = ByteBuffer.allocateDirect(BLOCKS * BLOCK_BYTES);
  private final byte[] compressed = new byte[slow.capacity() / 4];

  /**
   * Referred to until the heap looks full; from then on only {@link #collected} does, which the
   * next collection of the whole heap clears. A heap that is full even behind that stays full;
   * before, it may be full of garbage.
   */
  private @Nullable Object witness = new Object();

  private WeakReference<Object> collected = new WeakReference<>(witness);

  /** Fills the data with two letters by chance: many matches to look at, and no long one. */
  CollectionStop(BooleanSupplier isFull) {
    this.isFull = isFull;
    long random = 0x9E3779B97F4A7C15L;
    for (int i = 0; i < BLOCK_BYTES; i += Long.BYTES) {
      random ^= random << 13;
      random ^= random >>> 7;
      random ^= random << 17;
      slow.putLong(random & 0x0101_0101_0101_0101L);
    }
    ByteBuffer block = slow.duplicate().flip();
    while (slow.hasRemaining()) {
      slow.put(block.rewind());
    }
    // Once, so that nothing of it is loaded or linked late.
    slow.flip().limit(Long.BYTES);
    begin();
    var unused = staysFull();
    watchAnew();
    compress();
    slow.clear();
    begin();
  }

  @Override
  public void help(HaltAid halt) {
    halt.await(halt.remainingNanos() - WATCH.toNanos());
    while (halt.isArmed() && !staysFull()) {
      halt.await(POLL.toNanos());
    }
    // In one go, and with no look more: in a full heap each is late by some collections.
    halt.await(halt.remainingNanos() - LEAD.toNanos());
    while (halt.isArmed()) {
      compress();
      begin();
    }
  }

  private boolean staysFull() {
    if (!isFull.getAsBoolean()) {
      watchAnew();
      return false;
    }
    witness = null;
    return collected.get() == null;
  }

  private void watchAnew() {
    if (witness == null) {
      witness = new Object();
      collected = new WeakReference<>(witness);
    }
  }

  /** With as few calls into the JVM as can be: in a full heap each may wait for a collection. */
  static boolean isHeapFull() {
    Runtime runtime = Runtime.getRuntime();
    long free = runtime.freeMemory();
    return free < FULL && MAX_MEMORY - runtime.totalMemory() + free < FULL;
  }

  private void begin() {
    deflater.reset();
    deflater.setInput(slow.rewind());
    deflater.finish();
  }

  /** Allocates nothing, and is in native code at once. */
  private void compress() {
    deflater.deflate(compressed, 0, compressed.length, Deflater.NO_FLUSH);
  }
}
