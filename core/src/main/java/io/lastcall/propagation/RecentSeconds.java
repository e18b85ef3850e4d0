package io.lastcall.propagation;

/** How much a counter grew in each half of the last seconds. Not thread-safe. */
final class RecentSeconds {
  static final int SECONDS = 300;

  /** Samples in a second. */
  static final int EACH = 2;

  private static final int LENGTH = SECONDS * EACH;

  private final int[] growth = new int[LENGTH];
  private long samples;
  private long counter;
  private long sum;

  /** The counter's growth counts from here on; from zero by default. */
  void begin(long now) {
    counter = now;
  }

  /** Half a second has passed. */
  void sample(long now) {
    int slot = (int) (samples % LENGTH);
    sum -= growth[slot];
    growth[slot] = (int) (now - counter);
    sum += growth[slot];
    counter = now;
    samples++;
  }

  /** Returns how many whole seconds there are, at most {@value #SECONDS}. */
  long seconds() {
    return Math.min(samples / EACH, SECONDS);
  }

  long sum() {
    return sum;
  }

  /** Returns the mean growth between two samples. */
  double rate() {
    return (double) sum / Math.max(1, Math.min(samples, LENGTH));
  }

  /** Returns the growth between two samples, oldest first; zero before the first sample. */
  long[] ordered() {
    long[] ordered = new long[LENGTH];
    int first = (int) (samples % LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      ordered[i] = growth[(first + i) % LENGTH];
    }
    return ordered;
  }
}
