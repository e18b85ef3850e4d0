package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Does something to each of many, spread over a window, in random order: telling all clients in one
 * instant brings them all back in one instant. Each gets its own slot of window/N and a random
 * place within it (NATS lame duck mode spreads its closings the same way). What was missed in a
 * pause of the machine is not done in a burst: the rest is put off by as much.
 */
public final class Pacer {
  /** A hundredth of the window may be caught up at once: nobody the clients go to notices. */
  private static final int CATCH_UP_DIVISOR = 100;

  private Pacer() {}

  /** As below, with a deadline that stays. */
  public static <T> void spread(
      Collection<T> items,
      Duration window,
      Deadline deadline,
      BooleanSupplier hurry,
      Consumer<? super T> action) {
    spread(items, window, () -> deadline, hurry, action);
  }

  /**
   * Blocks the calling thread until the last one's turn, within {@code window}, and longer only by
   * what pauses took. Without items it returns at once.
   *
   * @param items what to act on; each once
   * @param window the time to spread over; zero does all at once
   * @param deadline asked before each wait, for no waiting beyond it: what is left by then is acted
   *     on at once
   * @param hurry asked while waiting; true ends the waiting, not the acting
   * @param action must not block; a failure is its own to handle
   */
  public static <T> void spread(
      Collection<T> items,
      Duration window,
      Supplier<Deadline> deadline,
      BooleanSupplier hurry,
      Consumer<? super T> action) {
    List<T> order = new ArrayList<>(items);
    Collections.shuffle(order, ThreadLocalRandom.current());
    Deadline start = Deadline.after(Duration.ZERO, deadline.get().ticker());
    Duration slot = order.isEmpty() ? window : window.dividedBy(order.size());
    Duration catchUp = window.dividedBy(CATCH_UP_DIVISOR);
    for (int i = 0; i < order.size(); i++) {
      Duration within =
          Duration.ofNanos((long) (slot.toNanos() * ThreadLocalRandom.current().nextDouble()));
      Deadline turn = start.plus(slot.multipliedBy(i).plus(within));
      Deadline next = turn.earlier(deadline.get());
      while (!next.hasPassed()
          && !hurry.getAsBoolean()
          && !Thread.currentThread().isInterrupted()) {
        next.park(Pacer.class);
        next = turn.earlier(deadline.get());
      }
      Duration behind = turn.elapsed().minus(catchUp);
      if (!behind.isNegative()) {
        start = start.plus(behind);
      }
      action.accept(order.get(i));
    }
  }
}
