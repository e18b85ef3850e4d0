package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.plan.SettingSources.Default;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Fits the phases into the grace period: preStop, propagation, readiness hold, DRAIN,
 * CLOSE_CONNECTIONS, EXIT and the reserve, one behind the other. A default shrinks to fit; a value
 * somebody gave does not: what does not fit is refused.
 */
final class PlanArithmetic {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final SettingSources sources;
  private final Optional<Duration> trial;
  private final List<PlanValue<?>> values = new ArrayList<>();

  /**
   * @param trial a grace period to try instead of the one that is set
   */
  PlanArithmetic(SettingSources sources, Optional<Duration> trial) {
    this.sources = sources;
    this.trial = trial;
  }

  ShutdownPlan plan() {
    var grace = grace();
    var delay = find(Setting.PROPAGATION_DELAY, defaultDelay(grace.value()));
    var minimum = find(Setting.PROPAGATION_MINIMUM, delay.value(), "the delay: a fixed wait");
    if (!delay.isDefault() || sources.inKubernetes()) {
      refuseLonger(minimum, 1, "longer than", delay);
    }
    var error = find(Setting.PROPAGATION_ERROR, 0.01, "");
    var routers = find(Setting.PROPAGATION_ROUTERS, 10, "");
    var preStop = find(Setting.PRE_STOP_DELAY, Duration.ZERO, "");
    var token = find(Setting.PRE_STOP_TOKEN, ProbeToken.none(), "no /prestop");
    var port = find(Setting.PROBE_PORT, Optional.empty(), "");
    var readiness = find(Setting.READINESS_POLICY, ReadinessPolicy.AFTER_PROPAGATION, "");
    var hold = find(Setting.READINESS_HOLD, Duration.ZERO, "");
    var file = find(Setting.READINESS_FILE, Optional.empty(), "");
    var readyPort = find(Setting.READINESS_PORT, Optional.empty(), "");
    var reserve = find(Setting.RESERVE, SECOND, "");
    var exit =
        find(
            Setting.EXIT_TIMEOUT,
            atMost(SECOND, positive(grace.value().minus(reserve.value())).dividedBy(4)),
            "");
    // The longer of the two counts, since preStop's wait is propagation too.
    Duration wait = max(preStop.value(), delay.value());
    Duration rest =
        grace.value().minus(wait).minus(hold.value()).minus(exit.value()).minus(reserve.value());
    if (reserve.value().compareTo(SECOND) < 0) {
      throw new IllegalArgumentException(
          "%s=%s (%s): the exit of a JVM alone can take 310 ms; allowed: 1s or more"
              .formatted(reserve.name(), reserve.text(), reserve.sourceText()));
    }
    refuseNoTime(exit, "no server could be stopped in that");
    if (rest.isNegative() || rest.isZero()) {
      throw tooShort(rest, grace, List.of(preStop, delay, hold, exit, reserve));
    }
    var close = find(Setting.CLOSE_TIMEOUT, atMost(Duration.ofSeconds(5), rest.dividedBy(4)), "");
    var window =
        find(Setting.CLOSE_WINDOW, atMost(Duration.ofSeconds(2), close.value().dividedBy(2)), "");
    var drain = find(Setting.DRAIN_TIMEOUT, positive(rest.minus(close.value())), "what remains");
    refuseNoTime(drain, "no request could finish in that");
    boolean nothingLeft = drain.isDefault() && drain.value().isZero();
    if (nothingLeft || drain.value().plus(close.value()).compareTo(rest) > 0) {
      throw tooShort(
          rest.minus(drain.value()).minus(close.value()),
          grace,
          List.of(preStop, delay, hold, drain, close, exit, reserve));
    }
    var late = find(Setting.LATE_REQUESTS, LateRequestPolicy.SERVE, "");
    var cutoff =
        find(Setting.LATE_CUTOFF, atMost(Duration.ofSeconds(5), drain.value().dividedBy(2)), "");
    refuseLonger(cutoff, 2, "more than half of", drain);
    refuseLonger(window, 2, "more than half of", close);
    var exitDrain = find(Setting.EXIT_DRAIN_TIMEOUT, Duration.ofSeconds(5), "");
    var code = find(Setting.CLEAN_EXIT_CODE, 0, "");
    var signals = find(Setting.STOP_SIGNALS, List.of("TERM"), "");
    var reportFile = find(Setting.REPORT_FILE, Optional.empty(), "");
    if (reportFile.value().isPresent() && reportFile.value().equals(file.value())) {
      throw new IllegalArgumentException(
          "%s=%s (%s) is the %s, too; allowed: a file of its own"
              .formatted(
                  reportFile.name(), reportFile.text(), reportFile.sourceText(), file.name()));
    }
    return new ShutdownPlan(
        grace.value(),
        delay.value(),
        atMost(minimum.value(), delay.value()), // outside Kubernetes there is nothing to wait for
        error.value(),
        routers.value(),
        preStop.value(),
        token.value(),
        port.value(),
        readiness.value(),
        hold.value(),
        file.value(),
        readyPort.value(),
        drain.value(),
        late.value(),
        cutoff.value(),
        close.value(),
        window.value(),
        exit.value(),
        exitDrain.value(),
        reserve.value(),
        code.value(),
        signals.value(),
        reportFile.value(),
        values);
  }

  private PlanValue<Duration> grace() {
    if (trial.isPresent()) {
      return PlanValue.of(Setting.GRACE_PERIOD, trial.get(), Source.CODE, "");
    }
    return find(Setting.GRACE_PERIOD, Duration.ofSeconds(30), "as in Kubernetes");
  }

  private Default<Duration> defaultDelay(Duration grace) {
    return sources.inKubernetes()
        ? new Default<>(
            atMost(ShutdownPlan.USUAL_DELAY, grace.dividedBy(2)), "at most half the grace period")
        : new Default<>(Duration.ZERO, "not in Kubernetes: KUBERNETES_SERVICE_HOST is not set");
  }

  private <T> PlanValue<T> find(Setting<T> setting, T fallback, String why) {
    return find(setting, new Default<>(fallback, why));
  }

  private <T> PlanValue<T> find(Setting<T> setting, Default<T> fallback) {
    PlanValue<T> value = sources.find(setting, fallback);
    values.add(value);
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

  /**
   * @param times how often the part must fit into the whole
   */
  private static void refuseLonger(
      PlanValue<Duration> part, int times, String than, PlanValue<Duration> whole) {
    if (part.value().multipliedBy(times).compareTo(whole.value()) > 0) {
      throw new IllegalArgumentException(
          "%s=%s (%s) is %s %s=%s (%s); allowed: at most that"
              .formatted(
                  part.name(),
                  part.text(),
                  part.sourceText(),
                  than,
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

  private static Duration atMost(Duration wanted, Duration limit) {
    return wanted.compareTo(limit) <= 0 ? wanted : limit;
  }

  private static Duration max(Duration a, Duration b) {
    return a.compareTo(b) >= 0 ? a : b;
  }

  private static Duration positive(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }
}
