package io.lastcall.benchmarks;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Ticker;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * One thread against two that really run at once. On a busy machine threads take turns, and what
 * never meets does not contend: so bursts of microseconds behind a spin barrier, of which those
 * count that overlapped.
 */
public final class Meeting {
  private static final int BURSTS = 10_000;
  private static final int OPERATIONS = 500;

  private Meeting() {}

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    RequestGate gate = new GateControl(Ticker.system()).gate();
    AtomicLong shared = new AtomicLong();
    System.out.println("| Shape | alone | two at once | 2 : 1 |");
    System.out.println("|---|---|---|---|");
    print("oneShot", () -> () -> oneShot(gate));
    print("twoAdds", () -> twoAdds(new AtomicLong(), new AtomicLong()));
    print("atomicLong", () -> twoAdds(shared, shared));
  }

  private static void oneShot(RequestGate gate) {
    Permit permit = new Request();
    if (gate.enter(permit)) {
      permit.release();
    }
  }

  private static Runnable twoAdds(AtomicLong in, AtomicLong out) {
    return () -> {
      in.getAndIncrement();
      out.getAndDecrement();
    };
  }

  private static void print(String name, Supplier<Runnable> shape) throws InterruptedException {
    median(1, shape); // compiles it, and touches the heap
    double alone = median(1, shape);
    double both = median(2, shape);
    System.out.printf("| `%s` | %.1f | %.1f | %.2f |%n", name, alone, both, both / alone);
  }

  private static double median(int parties, Supplier<Runnable> shape) throws InterruptedException {
    long[][] begin = new long[2][BURSTS];
    long[][] end = new long[2][BURSTS];
    AtomicInteger arrived = new AtomicInteger();
    Thread[] threads = new Thread[parties];
    for (int i = 0; i < parties; i++) {
      int me = i;
      threads[i] = new Thread(() -> play(parties, shape.get(), arrived, begin[me], end[me]));
      threads[i].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    int other = parties - 1;
    double[] each = new double[BURSTS];
    int met = 0;
    for (int burst = BURSTS / 4; burst < BURSTS; burst++) {
      long overlap =
          Math.min(end[0][burst], end[other][burst])
              - Math.max(begin[0][burst], begin[other][burst]);
      long longest =
          Math.max(end[0][burst] - begin[0][burst], end[other][burst] - begin[other][burst]);
      if (overlap >= 0.9 * longest) {
        each[met++] = (double) longest / OPERATIONS;
      }
    }
    Arrays.sort(each, 0, met);
    return met == 0 ? Double.NaN : each[met / 2];
  }

  private static void play(
      int parties, Runnable shape, AtomicInteger arrived, long[] begin, long[] end) {
    for (int burst = 0; burst < BURSTS; burst++) {
      arrived.getAndIncrement();
      while (arrived.get() < parties * (burst + 1)) {
        Thread.onSpinWait();
      }
      begin[burst] = System.nanoTime();
      for (int i = 0; i < OPERATIONS; i++) {
        shape.run();
      }
      end[burst] = System.nanoTime();
    }
  }

  private static final class Request extends Permit {}
}
