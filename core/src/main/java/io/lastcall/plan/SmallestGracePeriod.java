package io.lastcall.plan;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The smallest grace period in whole seconds that a plan fits, found by trying: whatever the
 * arithmetic accepts, and nothing else, is the answer. More time never makes a plan unfit, so the
 * search is binary.
 */
final class SmallestGracePeriod {
  /** In seconds, more than all defaults together: what does not fit with that much never will. */
  private static final long DEFAULTS = 60;

  private SmallestGracePeriod() {}

  /**
   * Searches upwards, for a plan that was refused.
   *
   * @param atLeast less is known not to fit
   * @return empty if it is not for want of time that the plan does not fit
   */
  static Optional<Duration> from(SettingSources sources, Duration atLeast) {
    long from = atLeast.toSeconds();
    return fits(sources, from + DEFAULTS)
        ? Optional.of(between(sources, from, from + DEFAULTS))
        : Optional.empty();
  }

  /**
   * Searches downwards, for a plan that fits: what was set stays, and so does the propagation
   * delay, since a shorter one would lose requests; other defaults shrink.
   */
  static Duration of(ShutdownPlan plan) {
    SettingSources sources = new SettingSources(Map.of(), new Properties());
    Setting.all().forEach(setting -> keep(plan, setting, sources));
    sources.set(Setting.PROPAGATION_DELAY, plan.propagationDelay());
    // Where there is no delay, outside Kubernetes, the minimum counts for nothing; given, it would.
    sources.set(Setting.PROPAGATION_MINIMUM, plan.propagationMinimum());
    return between(sources, 0, plan.gracePeriod().plusMillis(999).toSeconds());
  }

  /** Keeps the invariant: nothing below {@code from} fits, {@code to} does. */
  private static Duration between(SettingSources sources, long from, long to) {
    long low = from;
    long high = to;
    while (low < high) {
      long middle = (low + high) / 2;
      if (fits(sources, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return Duration.ofSeconds(high);
  }

  private static boolean fits(SettingSources sources, long seconds) {
    try {
      new PlanArithmetic(sources, Optional.of(Duration.ofSeconds(seconds))).plan();
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static <T> void keep(ShutdownPlan plan, Setting<T> setting, SettingSources sources) {
    PlanValue<T> value = plan.value(setting);
    if (!value.isDefault()) {
      sources.set(setting, value.value());
    }
  }
}
