package io.lastcall.plan;

import static io.lastcall.plan.Durations.max;
import static io.lastcall.plan.Durations.min;
import static io.lastcall.plan.Durations.positive;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Fits a plan whose shutdown has begun into less time. Each part shrinks as its default would in so
 * short a grace period; a part that is shorter already stays. Nothing is refused any more.
 */
final class ShorterPlan {
  private final ShutdownPlan plan;
  private final Map<Setting<?>, PlanValue<?>> values = new HashMap<>();

  /**
   * @param plan the plan so far
   */
  ShorterPlan(ShutdownPlan plan) {
    this.plan = plan;
    plan.settings().forEach(setting -> values.put(setting, plan.value(setting)));
  }

  /**
   * Returns the plan.
   *
   * @param grace the time from the trigger to SIGKILL
   * @param waited the part of the propagation delay that had passed before the trigger
   */
  ShutdownPlan within(Duration grace, Duration waited) {
    Shares shares = new Shares(grace);
    Duration quarter = grace.dividedBy(4);
    Duration reserve = min(quarter, least(Setting.RESERVE, shares.reserve(), quarter));
    Duration end = grace.minus(reserve);
    Duration exit = least(Setting.EXIT_TIMEOUT, shares.exit(reserve), end.dividedBy(4));
    Duration preStop = max(plan.preStopDelay(), waited);
    Duration delay = positive(plan.propagationDelay().minus(preStop));
    Duration rest = end.minus(exit);
    if (shares.isShort()) {
      Duration hold = min(plan.readinessHold(), rest.dividedBy(2));
      Duration last = least(Setting.CLOSE_TIMEOUT, shares.close(rest), rest.dividedBy(4));
      Duration served = positive(rest.minus(hold).minus(last));
      delay = min(delay, served.minus(shares.drain(served)));
    } else {
      delay = min(delay, grace.dividedBy(2));
    }
    rest = positive(rest.minus(delay));
    Duration hold = min(plan.readinessHold(), rest.dividedBy(2));
    rest = rest.minus(hold);
    Duration close = least(Setting.CLOSE_TIMEOUT, shares.close(rest), rest.dividedBy(4));
    set(Setting.GRACE_PERIOD, grace);
    set(Setting.PRE_STOP_DELAY, Duration.ZERO);
    set(Setting.PROPAGATION_DELAY, delay);
    set(Setting.READINESS_HOLD, hold);
    set(Setting.DRAIN_TIMEOUT, min(plan.drainTimeout(), rest.minus(close)));
    set(Setting.CLOSE_TIMEOUT, close);
    set(Setting.EXIT_TIMEOUT, exit);
    set(Setting.RESERVE, reserve);
    return new ShutdownPlan(List.copyOf(plan.settings()), values, List.of(), true);
  }

  /** Returns the value so far, at most its default in the new time, or a limit if it was set. */
  private Duration least(Setting<Duration> setting, Duration usual, Duration limit) {
    PlanValue<Duration> before = plan.value(setting);
    return min(before.value(), before.isDefault() ? usual : limit);
  }

  /** A default stays one: a phase that may take what remains still may. */
  private void set(Setting<Duration> setting, Duration value) {
    PlanValue<Duration> before = plan.value(setting);
    if (!value.equals(before.value())) {
      values.put(
          setting,
          new PlanValue<>(
              setting.name(),
              value,
              setting.format(value),
              before.sourceText() + ", shortened: SIGKILL comes earlier than declared",
              before.isDefault()));
    }
  }
}
