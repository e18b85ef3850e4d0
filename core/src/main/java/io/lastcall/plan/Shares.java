package io.lastcall.plan;

import static io.lastcall.plan.Durations.max;
import static io.lastcall.plan.Durations.min;
import static io.lastcall.plan.Durations.positive;

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

  /** Twice what closing takes in a service without steps of its own, and the least for an exit. */
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

  /** A twentieth of a short time: an exit takes longer where requests have hung to the end. */
  Duration exit(Duration reserve) {
    Duration quarter = positive(time.minus(reserve)).dividedBy(4);
    Duration usual = isShort() ? max(SHORT_END, time.dividedBy(20)) : Setting.EXIT_TIMEOUT.usual();
    return min(usual, quarter);
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
