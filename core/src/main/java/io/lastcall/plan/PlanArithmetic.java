package io.lastcall.plan;

import static io.lastcall.plan.Durations.max;
import static io.lastcall.plan.Durations.min;
import static io.lastcall.plan.Durations.positive;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Fits the phases into the grace period: preStop, propagation, readiness hold, DRAIN,
 * CLOSE_CONNECTIONS, EXIT and the reserve, one after the other. A default shrinks to fit; a given
 * value that does not fit is refused.
 */
final class PlanArithmetic {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String NO_REQUEST = "no request could finish in that";

  /** In seconds, more than all defaults together: a misfit is searched no further. */
  private static final long DEFAULTS = 60;

  private static final String ALMOST_ALL =
      "of a short grace period: requests are served and finished at the same time, up to its end";

  private final SettingSources sources;
  private final Optional<Duration> trial;
  private final Map<Setting<?>, PlanValue<?>> values = new HashMap<>();
  private Shares shares = new Shares(Duration.ZERO);

  /**
   * @param trial a grace period to try instead of the one that is set
   */
  PlanArithmetic(SettingSources sources, Optional<Duration> trial) {
    this.sources = sources;
    this.trial = trial;
  }

  ShutdownPlan plan() {
    find(Setting.PRE_STOP_TOKEN, Setting.PRE_STOP_TOKEN.usual(), "no /prestop");
    refuseNoTime(value(Setting.EXIT_DRAIN_TIMEOUT), NO_REQUEST);
    PlanValue<Duration> grace = grace();
    shares = new Shares(grace.value().minus(value(Setting.PRE_STOP_DELAY).value()));
    exit();
    propagation(grace.value());
    phases(grace);
    sources.known().forEach(this::value);
    return new ShutdownPlan(sources.settings(), values, sources.unknownNames(), false);
  }

  private PlanValue<Duration> grace() {
    if (trial.isEmpty()) {
      return find(Setting.GRACE_PERIOD, Setting.GRACE_PERIOD.usual(), "as in Kubernetes");
    }
    PlanValue<Duration> tried = PlanValue.given(Setting.GRACE_PERIOD, trial.get(), "code");
    values.put(Setting.GRACE_PERIOD, tried);
    return tried;
  }

  private void propagation(Duration grace) {
    PlanValue<Duration> delay =
        sources.inKubernetes()
            ? find(
                Setting.PROPAGATION_DELAY,
                min(Setting.PROPAGATION_DELAY.usual(), longestDelay(grace)),
                shares.isShort() ? ALMOST_ALL : "at most half the grace period")
            : find(
                Setting.PROPAGATION_DELAY,
                Duration.ZERO,
                "not in Kubernetes: KUBERNETES_SERVICE_HOST is not set");
    PlanValue<Duration> minimum =
        find(Setting.PROPAGATION_MINIMUM, delay.value(), "the delay: a fixed wait");
    boolean counts = !delay.isDefault() || sources.inKubernetes();
    if (counts && minimum.value().compareTo(delay.value()) > 0) {
      throw new IllegalArgumentException(
          "%s=%s (%s) is longer than %s=%s (%s); allowed: at most that"
              .formatted(
                  minimum.name(),
                  minimum.text(),
                  minimum.sourceText(),
                  delay.name(),
                  delay.text(),
                  delay.sourceText()));
    }
  }

  /** Half of the grace period; of a short one, all that the other parts leave. */
  private Duration longestDelay(Duration grace) {
    if (!shares.isShort()) {
      return grace.dividedBy(2);
    }
    Duration rest =
        positive(
            shares
                .time()
                .minus(value(Setting.RESERVE).value())
                .minus(value(Setting.EXIT_TIMEOUT).value())
                .minus(value(Setting.READINESS_HOLD).value()));
    Duration close = sources.find(Setting.CLOSE_TIMEOUT, shares.close(rest), "").value();
    rest = positive(rest.minus(close));
    Duration drain = sources.find(Setting.DRAIN_TIMEOUT, shares.drain(rest), "").value();
    return value(Setting.PRE_STOP_DELAY).value().plus(positive(rest.minus(drain)));
  }

  private void exit() {
    PlanValue<Duration> reserve =
        find(Setting.RESERVE, shares.reserve(), shares.isShort() ? "of a short grace period" : "");
    if (!reserve.isDefault() && reserve.value().compareTo(SECOND) < 0) {
      throw reserve.refusal("the exit of a JVM alone can take 310 ms; allowed: 1s or more", null);
    }
    refuseNoTime(
        find(Setting.EXIT_TIMEOUT, shares.exit(reserve.value()), ""),
        "no server could be stopped in that");
  }

  /** Gives DRAIN and CLOSE_CONNECTIONS what the waits before and the exit after them leave. */
  private void phases(PlanValue<Duration> grace) {
    PlanValue<Duration> preStop = value(Setting.PRE_STOP_DELAY);
    PlanValue<Duration> delay = value(Setting.PROPAGATION_DELAY);
    PlanValue<Duration> hold = value(Setting.READINESS_HOLD);
    PlanValue<Duration> exit = value(Setting.EXIT_TIMEOUT);
    PlanValue<Duration> reserve = value(Setting.RESERVE);
    // The longer of the two counts, since preStop's wait is propagation too.
    Duration wait = max(preStop.value(), delay.value());
    Duration rest =
        grace.value().minus(wait).minus(hold.value()).minus(exit.value()).minus(reserve.value());
    if (rest.isNegative() || rest.isZero()) {
      throw tooShort(rest, grace, List.of(preStop, delay, hold, exit, reserve));
    }
    PlanValue<Duration> close =
        find(Setting.CLOSE_TIMEOUT, shares.close(rest), "closers may take what remains");
    PlanValue<Duration> drain =
        find(Setting.DRAIN_TIMEOUT, positive(rest.minus(close.value())), "what remains");
    refuseNoTime(drain, NO_REQUEST);
    Duration left = rest.minus(drain.value()).minus(close.value());
    if (drain.value().isZero() || left.isNegative()) {
      throw tooShort(left, grace, List.of(preStop, delay, hold, drain, close, exit, reserve));
    }
  }

  /** Returns the value of a setting; its default, unless it has been found, is the usual one. */
  @SuppressWarnings("unchecked") // a PlanValue<T> is kept under its Setting<T>
  private <T> PlanValue<T> value(Setting<T> setting) {
    PlanValue<?> found = values.get(setting);
    return found != null ? (PlanValue<T>) found : find(setting, setting.usual(), "");
  }

  private <T> PlanValue<T> find(Setting<T> setting, T fallback, String why) {
    PlanValue<T> value = sources.find(setting, fallback, why);
    values.put(setting, value);
    return value;
  }

  private IllegalArgumentException tooShort(
      Duration rest, PlanValue<Duration> grace, List<PlanValue<Duration>> parts) {
    StringBuilder sum = new StringBuilder();
    for (PlanValue<Duration> part : parts) {
      sum.append("%n  %-18s %8s  (%s)".formatted(part.name(), part.text(), part.sourceText()));
    }
    Duration missing = rest.isZero() ? Duration.ofMillis(1) : rest.negated();
    return new IllegalArgumentException(
        ("The plan does not fit %s=%s (%s): %s too long, and DRAIN needs more than 0s.%s%n"
                + "pre-stop-delay counts towards propagation-delay: the longer of the two is"
                + " waited. Raise grace-period together with the pod's"
                + " terminationGracePeriodSeconds%s, or shorten one of these.")
            .formatted(
                grace.name(),
                grace.text(),
                grace.sourceText(),
                Durations.format(missing),
                sum,
                trial.isPresent() ? "" : smallest(grace.value().plus(missing).toSeconds())));
  }

  /** Tries every second, since defaults grow with the grace period. */
  private String smallest(long atLeast) {
    for (long seconds = atLeast; seconds <= atLeast + DEFAULTS; seconds++) {
      Duration grace = Duration.ofSeconds(seconds);
      if (fits(grace)) {
        return " to " + Durations.format(grace) + ", the smallest that fits";
      }
    }
    return "";
  }

  private boolean fits(Duration grace) {
    try {
      new PlanArithmetic(sources, Optional.of(grace)).plan();
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static void refuseNoTime(PlanValue<Duration> part, String why) {
    if (!part.isDefault() && part.value().isZero()) {
      throw part.refusal(why + "; allowed: more than 0s", null);
    }
  }
}
