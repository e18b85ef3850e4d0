package io.lastcall.plan;

import static io.lastcall.plan.Durations.max;
import static io.lastcall.plan.Durations.min;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.plan.SettingSources.Default;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Fits the phases into the grace period: preStop, propagation, readiness hold, DRAIN,
 * CLOSE_CONNECTIONS, EXIT and the reserve, one behind the other. A default shrinks to fit; a value
 * somebody gave does not: what does not fit is refused.
 */
final class PlanArithmetic {
  /** The default propagation delay where the grace period has room for it. */
  static final Duration USUAL_DELAY = Duration.ofSeconds(15);

  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final String NO_REQUEST = "no request could finish in that";

  private final SettingSources sources;
  private final Optional<Duration> trial;
  private final Map<Setting<?>, PlanValue<?>> values = new HashMap<>();

  /**
   * @param trial a grace period to try instead of the one that is set
   */
  PlanArithmetic(SettingSources sources, Optional<Duration> trial) {
    this.sources = sources;
    this.trial = trial;
  }

  ShutdownPlan plan() {
    independent();
    PlanValue<Duration> grace = grace();
    propagation(grace.value());
    exit(grace.value());
    phases(grace);
    return new ShutdownPlan(sources.settings(), values, sources.unknownNames());
  }

  /** The settings whose default is the same in every plan. */
  private void independent() {
    find(Setting.PROPAGATION_ROUTERS, 10, "");
    find(Setting.PRE_STOP_DELAY, Duration.ZERO, "");
    find(Setting.PRE_STOP_TOKEN, ProbeToken.none(), "no /prestop");
    find(Setting.READINESS_POLICY, ReadinessPolicy.AFTER_PROPAGATION, "");
    find(Setting.READINESS_HOLD, Duration.ZERO, "");
    find(Setting.LATE_REQUESTS, LateRequestPolicy.SERVE, "");
    refuseNoTime(find(Setting.EXIT_DRAIN_TIMEOUT, Duration.ofSeconds(5), ""), NO_REQUEST);
    find(Setting.RESERVE, SECOND, "");
    find(Setting.CLEAN_EXIT_CODE, 0, "");
    find(Setting.STOP_SIGNALS, List.of("TERM"), "");
    find(Setting.REPORT_LOG, ReportLog.LINES, "");
    find(Setting.REPORT_FILE, Optional.empty(), "");
    sources.notOfCore().forEach(this::findOrOff);
  }

  private <T> void findOrOff(Setting<T> setting) {
    find(setting, setting.parse(SettingText.OFF, setting.name()), "");
  }

  private PlanValue<Duration> grace() {
    if (trial.isEmpty()) {
      return find(Setting.GRACE_PERIOD, Duration.ofSeconds(30), "as in Kubernetes");
    }
    PlanValue<Duration> tried = PlanValue.of(Setting.GRACE_PERIOD, trial.get(), Source.CODE, "");
    values.put(Setting.GRACE_PERIOD, tried);
    return tried;
  }

  private void propagation(Duration grace) {
    Default<Duration> usual =
        sources.inKubernetes()
            ? new Default<>(min(USUAL_DELAY, grace.dividedBy(2)), "at most half the grace period")
            : new Default<>(Duration.ZERO, "not in Kubernetes: KUBERNETES_SERVICE_HOST is not set");
    PlanValue<Duration> delay = find(Setting.PROPAGATION_DELAY, usual);
    PlanValue<Duration> minimum =
        find(Setting.PROPAGATION_MINIMUM, delay.value(), "the delay: a fixed wait");
    if (!delay.isDefault() || sources.inKubernetes()) {
      refuseLonger(minimum, delay);
    }
  }

  private void exit(Duration grace) {
    PlanValue<Duration> reserve = row(Setting.RESERVE);
    if (reserve.value().compareTo(SECOND) < 0) {
      throw new IllegalArgumentException(
          "%s=%s (%s): the exit of a JVM alone can take 310 ms; allowed: 1s or more"
              .formatted(reserve.name(), reserve.text(), reserve.sourceText()));
    }
    Duration quarter = positive(grace.minus(reserve.value())).dividedBy(4);
    refuseNoTime(
        find(Setting.EXIT_TIMEOUT, min(SECOND, quarter), ""), "no server could be stopped in that");
  }

  /**
   * Divides what the waits before it and the exit behind it leave to DRAIN and CLOSE_CONNECTIONS.
   */
  private void phases(PlanValue<Duration> grace) {
    PlanValue<Duration> preStop = row(Setting.PRE_STOP_DELAY);
    PlanValue<Duration> delay = row(Setting.PROPAGATION_DELAY);
    PlanValue<Duration> hold = row(Setting.READINESS_HOLD);
    PlanValue<Duration> exit = row(Setting.EXIT_TIMEOUT);
    PlanValue<Duration> reserve = row(Setting.RESERVE);
    // The longer of the two counts, since preStop's wait is propagation too.
    Duration wait = max(preStop.value(), delay.value());
    Duration rest =
        grace.value().minus(wait).minus(hold.value()).minus(exit.value()).minus(reserve.value());
    if (rest.isNegative() || rest.isZero()) {
      throw tooShort(rest, grace, List.of(preStop, delay, hold, exit, reserve));
    }
    PlanValue<Duration> close = close(rest.dividedBy(4));
    PlanValue<Duration> drain = drain(positive(rest.minus(close.value())));
    if (drain.value().isZero() || drain.value().plus(close.value()).compareTo(rest) > 0) {
      throw tooShort(
          rest.minus(drain.value()).minus(close.value()),
          grace,
          List.of(preStop, delay, hold, drain, close, exit, reserve));
    }
  }

  private PlanValue<Duration> close(Duration quarter) {
    return find(
        Setting.CLOSE_TIMEOUT,
        min(Duration.ofSeconds(5), quarter),
        "closers may take what remains");
  }

  private PlanValue<Duration> drain(Duration remaining) {
    PlanValue<Duration> drain = find(Setting.DRAIN_TIMEOUT, remaining, "what remains");
    refuseNoTime(drain, NO_REQUEST);
    return drain;
  }

  @SuppressWarnings("unchecked") // find() puts a PlanValue<T> under a Setting<T>
  private <T> PlanValue<T> row(Setting<T> setting) {
    return (PlanValue<T>) Objects.requireNonNull(values.get(setting), setting.name());
  }

  private <T> PlanValue<T> find(Setting<T> setting, T fallback, String why) {
    return find(setting, new Default<>(fallback, why));
  }

  private <T> PlanValue<T> find(Setting<T> setting, Default<T> fallback) {
    PlanValue<T> value = sources.find(setting, fallback);
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
                cure(grace.value().plus(missing))));
  }

  /** A trial's message is read by nobody, and looking for its cure would never end. */
  private String cure(Duration atLeast) {
    return trial.isPresent()
        ? ""
        : SmallestGracePeriod.from(sources, atLeast)
            .map(fits -> " to " + Durations.format(fits) + ", the smallest that fits")
            .orElse("");
  }

  private static void refuseLonger(PlanValue<Duration> part, PlanValue<Duration> whole) {
    if (part.value().compareTo(whole.value()) > 0) {
      throw new IllegalArgumentException(
          "%s=%s (%s) is longer than %s=%s (%s); allowed: at most that"
              .formatted(
                  part.name(),
                  part.text(),
                  part.sourceText(),
                  whole.name(),
                  whole.text(),
                  whole.sourceText()));
    }
  }

  private static void refuseNoTime(PlanValue<Duration> part, String why) {
    if (!part.isDefault() && part.value().isZero()) {
      throw new IllegalArgumentException(
          "%s=%s (%s): %s; allowed: more than 0s"
              .formatted(part.name(), part.text(), part.sourceText(), why));
    }
  }

  private static Duration positive(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
