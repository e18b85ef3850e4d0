package io.lastcall.time;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A point in monotonic time. It stays where it is, unless it is a {@link #movable} one. */
public final class Deadline {
  /**
   * The longest timeout that is accepted: a week, longer than any grace period in use. It catches
   * slips such as minutes for milliseconds.
   */
  public static final Duration LONGEST = Duration.ofDays(7);

  private final Ticker ticker;
  private final long nanos;
  private final @Nullable LongSupplier movable;

  /**
   * Creates a deadline that stays where it is.
   *
   * @param ticker the clock the deadline is read against
   * @param nanos the {@link Ticker#read()} value at which the deadline has passed
   */
  public Deadline(Ticker ticker, long nanos) {
    this(ticker, nanos, null);
  }

  private Deadline(Ticker ticker, long nanos, @Nullable LongSupplier movable) {
    this.ticker = ticker;
    this.nanos = nanos;
    this.movable = movable;
  }

  /**
   * Returns a deadline that may move to earlier, together with every deadline made from it by
   * {@link #plus}, {@link #earlier} and the like. Whatever moves it unparks the threads that wait.
   *
   * @param nanos the {@link Ticker#read()} value at which the deadline has passed
   */
  public static Deadline movable(Ticker ticker, LongSupplier nanos) {
    return new Deadline(ticker, 0, nanos);
  }

  /** Returns the clock the deadline is read against. */
  public Ticker ticker() {
    return ticker;
  }

  /** Returns the {@link Ticker#read()} value at which the deadline has passed. */
  public long nanos() {
    return movable == null ? nanos : movable.getAsLong();
  }

  /** Returns the deadline {@code timeout} from now on {@code ticker}. */
  public static Deadline after(Duration timeout, Ticker ticker) {
    return new Deadline(ticker, ticker.read() + timeout.toNanos());
  }

  /** Returns what remains; zero once the deadline has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanos() - ticker.read()));
  }

  /** Returns the time from this point to a later one; zero if that is earlier. */
  public Duration until(Deadline later) {
    return Duration.ofNanos(Math.max(0, later.nanos() - nanos()));
  }

  /** Returns the time since this point; negative while it lies ahead. */
  public Duration elapsed() {
    return Duration.ofNanos(ticker.read() - nanos());
  }

  /** Returns whether the deadline has passed. */
  public boolean hasPassed() {
    return ticker.read() - nanos() >= 0;
  }

  /** Returns the earlier of this deadline and the one {@code timeout} from now. */
  public Deadline atMost(Duration timeout) {
    return earlier(after(timeout, ticker));
  }

  /** Returns the earlier of the two. */
  public Deadline earlier(Deadline other) {
    return isFixed() && other.isFixed()
        ? earlierNow(other)
        : movable(ticker, () -> earlierNow(other).nanos());
  }

  /** Returns the later of the two. */
  public Deadline later(Deadline other) {
    return isFixed() && other.isFixed()
        ? laterNow(other)
        : movable(ticker, () -> laterNow(other).nanos());
  }

  /** Returns this deadline moved by {@code amount}; a negative amount moves it to earlier. */
  public Deadline plus(Duration amount) {
    long moved = amount.toNanos();
    return isFixed() ? new Deadline(ticker, nanos + moved) : movable(ticker, () -> nanos() + moved);
  }

  private boolean isFixed() {
    return movable == null;
  }

  private Deadline earlierNow(Deadline other) {
    return other.nanos() - nanos() < 0 ? other : this;
  }

  private Deadline laterNow(Deadline other) {
    return other.nanos() - nanos() > 0 ? other : this;
  }

  /** Parks the calling thread until the deadline, an unpark or an interrupt; may return early. */
  public void park(Object blocker) {
    ticker.parkUntil(blocker, nanos());
  }

  /**
   * Parks the calling thread until {@code done} is true. Nothing polls: the thread that makes it
   * true unparks this one. An interrupt does not end the wait; it is restored after it.
   *
   * @param blocker shown by thread dumps as what the thread waits for
   * @return false if the deadline passed first
   */
  public boolean await(Object blocker, BooleanSupplier done) {
    boolean interrupted = false;
    try {
      while (!done.getAsBoolean()) {
        if (hasPassed()) {
          return false;
        }
        park(blocker);
        interrupted |= Thread.interrupted();
      }
      return true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Parks the calling thread until the deadline has passed, as {@link #await} does. */
  public void awaitPassed(Object blocker) {
    var unused = await(blocker, () -> false);
  }
}
