package io.lastcall.time;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A point in monotonic time. Immutable.
 *
 * @param ticker the clock the deadline is read against
 * @param nanos the {@link Ticker#read()} value at which the deadline has passed
 */
public record Deadline(Ticker ticker, long nanos) {
  /**
   * The longest timeout that is accepted: a week, longer than any grace period in use. It catches
   * slips such as minutes for milliseconds.
   */
  public static final Duration LONGEST = Duration.ofDays(7);

  /** Returns the deadline {@code timeout} from now on {@code ticker}. */
  public static Deadline after(Duration timeout, Ticker ticker) {
    return new Deadline(ticker, ticker.read() + timeout.toNanos());
  }

  /** Returns what remains; zero once the deadline has passed. */
  public Duration remaining() {
    return Duration.ofNanos(Math.max(0, nanos - ticker.read()));
  }

  /** Returns the time from this point to a later one; zero if that is earlier. */
  public Duration until(Deadline later) {
    return Duration.ofNanos(Math.max(0, later.nanos - nanos));
  }

  /** Returns the time since this point; negative while it lies ahead. */
  public Duration elapsed() {
    return Duration.ofNanos(ticker.read() - nanos);
  }

  /** Returns whether the deadline has passed. */
  public boolean hasPassed() {
    return ticker.read() - nanos >= 0;
  }

  /** Returns the earlier of this deadline and the one {@code timeout} from now. */
  public Deadline atMost(Duration timeout) {
    return earlier(after(timeout, ticker));
  }

  /** Returns the earlier of the two. */
  public Deadline earlier(Deadline other) {
    return other.nanos - nanos < 0 ? other : this;
  }

  /** Returns the later of the two. */
  public Deadline later(Deadline other) {
    return other.nanos - nanos > 0 ? other : this;
  }

  /** Returns this deadline moved by {@code amount}; a negative amount moves it to earlier. */
  public Deadline plus(Duration amount) {
    return new Deadline(ticker, nanos + amount.toNanos());
  }

  /** Parks the calling thread until the deadline, an unpark or an interrupt; may return early. */
  public void park(Object blocker) {
    ticker.parkUntil(blocker, nanos);
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
