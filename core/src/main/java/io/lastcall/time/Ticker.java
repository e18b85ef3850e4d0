package io.lastcall.time;

/**
 * A monotonic clock to read and to wait on. A change of the system clock does not move it.
 * Thread-safe. Tests advance one by hand.
 */
public interface Ticker {

  /**
   * Reads the clock.
   *
   * @return nanoseconds from an arbitrary origin; compare by difference only, as with {@link
   *     System#nanoTime()}
   */
  long read();

  /**
   * Parks the calling thread until {@code time} is reached, or it is unparked or interrupted. May
   * return early, so callers check their condition in a loop.
   *
   * @param blocker shown by thread dumps as what the thread waits for
   * @param time the {@link #read()} value to wait for
   */
  void parkUntil(Object blocker, long time);

  /** Returns the ticker of the JVM, {@link System#nanoTime()}. */
  static Ticker system() {
    return SystemTicker.INSTANCE;
  }
}
