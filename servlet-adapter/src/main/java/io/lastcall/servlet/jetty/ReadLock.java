package io.lastcall.servlet.jetty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.eclipse.jetty.io.FillInterest;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Who may read a connection. Jetty's reader registers one callback for the next byte, and whoever
 * takes that callback is the only reader: holding it means that no other thread works on the
 * connection. Thread-safe.
 */
final class ReadLock {
  private final FillInterest interest;
  private final Consumer<Callback> holder;

  /** How many have asked for the lock; the first one takes it, for all of them. */
  private final AtomicInteger asked = new AtomicInteger();

  private volatile @Nullable Thread taker;

  /**
   * Used again for the same reader: the selector's core reads it, and would have to fetch what is
   * new each time from the core of the thread that registered it. Plain: of two who register at
   * once each may make its own.
   */
  private @Nullable Registered last;

  /**
   * @param interest where the callback is registered
   * @param holder has the lock, until it registers the callback again
   */
  ReadLock(FillInterest interest, Consumer<Callback> holder) {
    this.interest = interest;
    this.holder = holder;
  }

  /** Returns what to register instead of {@code reader}. */
  Callback of(Callback reader) {
    Registered known = last;
    if (known == null || known.getCallback() != reader) {
      known = new Registered(reader);
      last = known;
    }
    return known;
  }

  /** Calls the holder, on this thread or on one that is taking already, if nobody has the lock. */
  void take() {
    int seen = asked.getAndIncrement() == 0 ? 1 : 0;
    while (seen > 0) {
      taker = Thread.currentThread();
      try {
        // Takes the callback, if there is one, and calls it on this thread.
        interest.fillable();
      } finally {
        taker = null;
      }
      seen = asked.addAndGet(-seen);
    }
  }

  private final class Registered extends Callback.Nested {
    Registered(Callback reader) {
      super(reader);
    }

    @Override
    public void succeeded() {
      if (Thread.currentThread() == taker) {
        holder.accept(this);
      } else {
        super.succeeded();
      }
    }
  }
}
