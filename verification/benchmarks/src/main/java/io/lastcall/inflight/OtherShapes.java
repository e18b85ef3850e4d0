package io.lastcall.inflight;

import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** One admission and its release in the shapes that others use, and the unit all are told in. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class OtherShapes {
  private static final long CLOSED = Long.MIN_VALUE;

  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final AtomicLong count = new AtomicLong();
    final AtomicLong word = new AtomicLong();
    final LongAdder started = new LongAdder();
    final LongAdder finished = new LongAdder();
    final Phaser phaser = new Phaser(1);
    final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    volatile boolean closed;
  }

  /** What one thread has for itself. */
  @State(Scope.Thread)
  public static class Own {
    final AtomicLong started = new AtomicLong();
    final AtomicLong finished = new AtomicLong();
  }

  /** The unit: two atomic adds that no other thread wants. */
  @Benchmark
  public void twoAdds(Own own) {
    own.started.getAndIncrement();
    own.finished.getAndIncrement();
  }

  /** One counter, up and down, with the closed flag beside it. */
  @Benchmark
  public boolean atomicLong(Shared shared) {
    shared.count.getAndIncrement();
    boolean admitted = !shared.closed;
    return shared.count.decrementAndGet() == 0 && admitted;
  }

  /** Two striped counters; its sums prove nothing, see {@link StripedCounters}. */
  @Benchmark
  public boolean longAdders(Shared shared) {
    shared.started.increment();
    boolean admitted = !shared.closed;
    shared.finished.increment();
    return !shared.closed && admitted;
  }

  /** Parties come and go. */
  @Benchmark
  public int phaser(Shared shared) {
    shared.phaser.register();
    return shared.phaser.arriveAndDeregister();
  }

  /** Count and closed flag in one word. */
  @Benchmark
  public boolean casWord(Shared shared) {
    long now = shared.word.get();
    while ((now & CLOSED) == 0 && !shared.word.compareAndSet(now, now + 1)) {
      now = shared.word.get();
    }
    if ((now & CLOSED) != 0) {
      return false;
    }
    return shared.word.decrementAndGet() == CLOSED;
  }

  /** Requests are readers, the drain is the writer. */
  @Benchmark
  @SuppressWarnings("LockNotBeforeTry") // nothing in between
  public void readLock(Shared shared) {
    shared.lock.readLock().lock();
    shared.lock.readLock().unlock();
  }
}
