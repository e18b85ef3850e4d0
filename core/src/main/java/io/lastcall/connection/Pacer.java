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
 * Does an action to each of many items, in random order and spread over a window: clients that are
 * all closed in one instant all return in one instant. Each item has a slot of window/N and a
 * random time within it, as in the lame duck mode of NATS. After a pause of the machine the rest
 * moves later, instead of following in a burst.
 *
 * @hidden of the library itself
 */
public final class Pacer {
  /** A hundredth of the window may be caught up at once: clients do not notice. */
  private static final int CATCH_UP_DIVISOR = 100;

  private Pacer() {}

  /**
   * Blocks the calling thread until the last item's turn, within {@code window} and the pauses; not
   * at all without items.
   *
   * @param items each is acted on once
   * @param window the time to spread over; zero acts on all at once
   * @param deadline asked before each wait: items that are left by then are acted on at once
   * @param hurry asked while waiting; true ends the waiting, not the acting
   * @param action must not block or throw
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
      double place = ThreadLocalRandom.current().nextDouble();
      Duration within = Duration.ofNanos((long) (slot.toNanos() * place));
      Deadline turn = start.plus(slot.multipliedBy(i).plus(within));
      Deadline next = turn.earlier(deadline.get());
      while (!next.hasPassed()
          && !hurry.getAsBoolean()
          && !Thread.currentThread().isInterrupted()) {
        next.park(Pacer.class);
        next = turn.earlier(deadline.get());
      }
      Duration late = turn.elapsed().minus(catchUp);
      if (!late.isNegative()) {
        start = start.plus(late);
      }
      action.accept(order.get(i));
    }
  }
}
