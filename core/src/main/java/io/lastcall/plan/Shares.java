package io.lastcall.plan;

import static io.lastcall.plan.Durations.max;
import static io.lastcall.plan.Durations.min;

import java.time.Duration;

/**
 * What each part of a shutdown gets by default: one rule for a deadline that was declared and for
 * one that was found.
 *
 * <p>In a short time requests are served and finished at the same time, up to the end: the parts
 * after that get what they usually take, and not what they may take.
 *
 * @param time from the trigger to SIGKILL
 */
record Shares(Duration time) {
  /** Half of Kubernetes' default. */
  private static final Duration SHORT = Duration.ofSeconds(15);

  /** The exit of a JVM with threads in native code takes 310 ms. */
  private static final Duration SHORT_RESERVE = Duration.ofMillis(500);

  /** Twice what closing, or an exit, takes in a service without steps of its own. */
  private static final Duration SHORT_END = Duration.ofMillis(100);

  /** What DRAIN keeps at the least of a short time, or a tenth; it may end before that. */
  private static final Duration SHORT_DRAIN = Duration.ofMillis(500);

  /** Returns whether requests are served up to the end, since there is no time for more. */
  boolean isShort() {
    return time.compareTo(SHORT) <= 0;
  }

  Duration reserve() {
    return isShort() ? SHORT_RESERVE : Setting.RESERVE.usual();
  }

  Duration exit(Duration reserve) {
    Duration quarter = max(time.minus(reserve), Duration.ZERO).dividedBy(4);
    return min(isShort() ? SHORT_END : Setting.EXIT_TIMEOUT.usual(), quarter);
  }

  /**
   * @param rest what DRAIN and CLOSE_CONNECTIONS have together
   */
  Duration close(Duration rest) {
    return min(isShort() ? SHORT_END : Setting.CLOSE_TIMEOUT.usual(), rest.dividedBy(4));
  }

  /**
   * Returns what a short time leaves of KEEP_SERVING to DRAIN.
   *
   * @param rest what they have together
   */
  Duration drain(Duration rest) {
    return min(max(SHORT_DRAIN, time.dividedBy(10)), rest.dividedBy(4));
  }
}
