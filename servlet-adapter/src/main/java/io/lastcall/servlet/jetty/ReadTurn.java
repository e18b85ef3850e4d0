package io.lastcall.servlet.jetty;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.eclipse.jetty.io.FillInterest;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to read a connection. Jetty's reader registers one callback for the next byte.
 * Whoever takes it is the only reader; that is called the turn. If it can be taken, nobody is
 * working on the connection. Thread-safe.
 */
final class ReadTurn {
  private final FillInterest interest;
  private final Consumer<Callback> holder;

  /** How many have asked for the turn; the first one takes it, for all of them. */
  private final AtomicInteger asked = new AtomicInteger();

  private volatile @Nullable Thread taker;

  /**
   * Used again for the same reader: the selector's core reads it, and would have to fetch what is
   * new each time from the core of the thread that registered it. Plain: of two who register at
   * once each may make its own.
   */
  private @Nullable Turn last;

  /**
   * @param interest where the callback is registered
   * @param holder has the turn, until it registers the callback again
   */
  ReadTurn(FillInterest interest, Consumer<Callback> holder) {
    this.interest = interest;
    this.holder = holder;
  }

  /** Returns what to register instead of {@code reader}. */
  Callback of(Callback reader) {
    Turn known = last;
    if (known == null || known.reader != reader) {
      known = new Turn(reader);
      last = known;
    }
    return known;
  }

  /** Calls the holder, on this thread or on one that is taking already, if there is a turn. */
  void take() {
    int seen = asked.getAndIncrement() == 0 ? 1 : 0;
    while (seen > 0) {
      taker = Thread.currentThread();
      try {
        // Takes the turn, if there is one, and calls it on this thread.
        interest.fillable();
      } catch (RuntimeException | Error failure) {
        // Whoever asked meanwhile would fail alike; who asks later gets an answer again.
        asked.set(0);
        throw failure;
      } finally {
        taker = null;
      }
      seen = asked.addAndGet(-seen);
    }
  }

  private final class Turn implements Callback {
    private final Callback reader;

    Turn(Callback reader) {
      this.reader = reader;
    }

    @Override
    public void succeeded() {
      if (Thread.currentThread() == taker) {
        holder.accept(this);
      } else {
        reader.succeeded();
      }
    }

    @Override
    public void failed(Throwable failure) {
      reader.failed(failure);
    }

    @Override
    public InvocationType getInvocationType() {
      return reader.getInvocationType();
    }
  }
}
