package io.lastcall.inflight;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A refused entry against the last exit against the drain, three threads on however few cores:
 * jcstress runs no test with more actors than cores. A drain that is idle, and was not woken,
 * notices only at its deadline.
 */
public final class RefusalRace {
  private static final int ROUNDS = 5_000;
  private static final Duration NOBODY_CAME = Duration.ofSeconds(2);

  private RefusalRace() {}

  private static final class Request extends Permit {}

  /** One drain. */
  private record Round(GateControl control, Permit last) {
    static Round next() {
      Round round = new Round(new GateControl(Ticker.system()), new Request());
      round.control.gate().enter(round.last);
      round.control.refuse();
      return round;
    }
  }

  /** Returns how many drains nobody woke. */
  public static long missed() throws InterruptedException {
    CyclicBarrier barrier = new CyclicBarrier(3);
    AtomicReference<@Nullable Round> current = new AtomicReference<>();
    Thread exit = start(barrier, current, round -> round.last.release());
    Thread enter = start(barrier, current, round -> round.control.gate().enter(new Request()));
    long missed = 0;
    for (int i = 0; i < ROUNDS; i++) {
      Round round = Round.next();
      current.set(round);
      await(barrier);
      long start = System.nanoTime();
      round.control.awaitIdle(Deadline.after(NOBODY_CAME, Ticker.system()));
      missed += System.nanoTime() - start >= NOBODY_CAME.toNanos() ? 1 : 0;
      await(barrier);
    }
    exit.join();
    enter.join();
    return missed;
  }

  private interface Part {
    void play(Round round);
  }

  private static Thread start(
      CyclicBarrier barrier, AtomicReference<@Nullable Round> current, Part part) {
    Thread thread =
        new Thread(
            () -> {
              for (int i = 0; i < ROUNDS; i++) {
                await(barrier);
                Round round = current.get();
                if (round != null) {
                  part.play(round);
                }
                await(barrier);
              }
            });
    thread.start();
    return thread;
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }
}
