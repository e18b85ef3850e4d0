package io.lastcall.plan;

import static io.lastcall.plan.Durations.format;

import io.lastcall.phase.Step;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.propagation.SilenceCriterion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds values of a plan that fit and are probably not meant. */
record PlanWarnings(ShutdownPlan plan) {

  /** Returns a warning for each such value, with what to do. */
  List<String> all() {
    List<String> warnings = new ArrayList<>();
    Duration delay = plan.propagationDelay();
    Duration usual = Setting.PROPAGATION_DELAY.usual();
    if (!isGiven(Setting.PROPAGATION_DELAY) && !delay.isZero() && delay.compareTo(usual) < 0) {
      warnings.add(
          "grace-period=%s is too short for the usual propagation-delay of %s: it is %s. Raise"
                  .formatted(format(plan.gracePeriod()), format(usual), format(delay))
              + " grace-period together with the pod's terminationGracePeriodSeconds to 30s,"
              + " or set propagation-delay");
    }
    if (!plan.preStopDelay().isZero() && plan.preStopToken().isSet()) {
      warnings.add(
          "pre-stop-delay=%s is taken from KEEP_SERVING and from the time to the halt after"
                  .formatted(format(plan.preStopDelay()))
              + " /prestop, too: right only if the hook sleeps before it calls /prestop. If it does"
              + " not, drop pre-stop-delay");
    }
    if (!plan.readinessHold().isZero() && plan.readinessPolicy() == ReadinessPolicy.NEVER) {
      warnings.add(
          "readiness-hold=%s has no effect with readiness-policy=NEVER. Change one of them"
              .formatted(format(plan.readinessHold())));
    }
    if (plan.isAdaptive() && isNeverEarly()) {
      warnings.add(
          "propagation-minimum=%s has no effect at any traffic: silence counts from %s on, when every"
                  .formatted(format(plan.propagationMinimum()), format(closeRamp()))
              + " response says close, and takes %s at the least. Raise propagation-delay=%s to more"
                  .formatted(format(SilenceCriterion.SHORTEST), format(plan.propagationDelay()))
              + " than %s, or drop propagation-minimum"
                  .formatted(
                      format(SilenceCriterion.SHORTEST.multipliedBy(2).plus(plan.preStopDelay()))));
    }
    if (isGiven(Setting.PROPAGATION_ROUTERS) && !isGiven(Setting.PROPAGATION_MINIMUM)) {
      warnings.add("propagation-routers has no effect without propagation-minimum");
    }
    return warnings;
  }

  /** Even the shortest silence would end with the wait, or later. */
  private boolean isNeverEarly() {
    Duration earliest = closeRamp().plus(SilenceCriterion.SHORTEST);
    return !plan.keepServing().isZero() && earliest.compareTo(plan.keepServing()) >= 0;
  }

  private Duration closeRamp() {
    return SilenceCriterion.closeRamp(plan.keepServingAtLeast(), plan.keepServing());
  }

  private boolean isGiven(Setting<?> setting) {
    return !plan.value(setting).isDefault();
  }

  /** Returns a warning if a step has, or wants, a time that its phase cannot give it. */
  Optional<String> of(Step step) {
    return switch (step.phase()) {
      case DRAIN -> warning(step, Setting.DRAIN_TIMEOUT, plan.drainTimeout());
      case CLOSE_CONNECTIONS -> warning(step, Setting.CLOSE_TIMEOUT, longestClosing());
      case EXIT -> warning(step, Setting.EXIT_TIMEOUT, plan.exitTimeout());
      case KEEP_SERVING -> late(step);
      // It ends by the clock, and its steps may run on.
      case FAIL_READINESS -> Optional.empty();
    };
  }

  /** Others must have learnt what such a step tells them while this process still serves. */
  private Optional<String> late(Step step) {
    Duration wait = plan.keepServing();
    PlanValue<Duration> delay = plan.value(Setting.PROPAGATION_DELAY);
    return step.timeout()
        .filter(timeout -> !wait.isZero() && timeout.compareTo(wait) >= 0)
        .map(
            timeout ->
                "step '%s' has a timeout of %s, and KEEP_SERVING lasts %s: others may learn of it"
                        .formatted(step.name(), format(timeout), format(wait))
                    + " too late. Raise %s=%s, or shorten the step"
                        .formatted(delay.name(), delay.text()));
  }

  /** Returns what closers have after a DRAIN that had nothing to do. */
  private Duration longestClosing() {
    return plan.closesWhatRemains()
        ? plan.untilHalt()
            .minus(plan.keepServing())
            .minus(plan.readinessHold())
            .minus(plan.exitTimeout())
        : plan.closeTimeout();
  }

  private Optional<String> warning(Step step, Setting<Duration> bound, Duration longest) {
    PlanValue<Duration> time = plan.value(bound);
    Optional<String> wanted =
        step.timeout()
            .filter(timeout -> timeout.compareTo(longest) > 0)
            .map(timeout -> "has a timeout of " + format(timeout))
            .or(() -> time.value().isZero() ? Optional.of("needs some time") : Optional.empty());
    return wanted.map(
        what ->
            "step '%s' %s, and is cut off with its phase, %s: %s=%s. Raise that, or shorten the"
                    .formatted(step.name(), what, step.phase(), time.name(), time.text())
                + " step");
  }
}
