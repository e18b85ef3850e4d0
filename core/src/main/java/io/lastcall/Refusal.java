package io.lastcall;

import io.lastcall.plan.PlanValue;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of what fits the plan and cannot be had here: in the plan's words, with its source.
 */
final class Refusal {
  private Refusal() {}

  /**
   * @param use throws IllegalArgumentException saying what is wrong and what is allowed, not whose
   *     it is
   */
  static <V, T> Function<V, T> naming(ShutdownPlan plan, Setting<?> setting, Function<V, T> use) {
    return value -> {
      try {
        return use.apply(value);
      } catch (IllegalArgumentException e) {
        throw of(plan, setting, e.getMessage(), e);
      }
    };
  }

  /**
   * @param why what is wrong, and what is allowed
   */
  static IllegalArgumentException of(
      ShutdownPlan plan, Setting<?> setting, @Nullable String why, @Nullable Throwable cause) {
    PlanValue<?> value = plan.value(setting);
    return new IllegalArgumentException(
        "%s=%s (%s): %s".formatted(value.name(), value.text(), value.sourceText(), why), cause);
  }
}
