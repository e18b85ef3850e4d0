package io.lastcall.plan;

import io.lastcall.phase.Step;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.propagation.SilenceCriterion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds in a plan what fits and is probably not meant. */
record PlanWarnings(ShutdownPlan plan) {

  /** Returns the values that fit and are probably not meant, each with what to do. */
  List<String> all() {
    List<String> warnings = new ArrayList<>();
    boolean shorter =
        plan.propagationDelay().compareTo(PlanArithmetic.USUAL_DELAY) < 0
            && !plan.propagationDelay().isZero();
    if (shorter && !plan.isGiven(Setting.PROPAGATION_DELAY)) {
      warnings.add(
          "grace-period=%s is too short for the usual propagation-delay of %s: it is %s. Raise"
                  .formatted(
                      Durations.format(plan.gracePeriod()),
                      Durations.format(PlanArithmetic.USUAL_DELAY),
                      Durations.format(plan.propagationDelay()))
              + " grace-period together with the pod's terminationGracePeriodSeconds to 30s,"
              + " or set propagation-delay");
    }
    if (!plan.preStopDelay().isZero() && plan.preStopToken().isSet()) {
      warnings.add(
          "pre-stop-delay=%s is taken from KEEP_SERVING and from the time to the halt behind"
                  .formatted(Durations.format(plan.preStopDelay()))
              + " /prestop, too: right only if the hook sleeps before it calls /prestop. If it does"
              + " not, drop pre-stop-delay");
    }
    if (!plan.readinessHold().isZero() && plan.readinessPolicy() == ReadinessPolicy.NEVER) {
      warnings.add(
          "readiness-hold=%s waits for what nobody can see: readiness-policy=NEVER. Set one of them"
                  .formatted(Durations.format(plan.readinessHold()))
              + " otherwise");
    }
    if (plan.isAdaptive() && isNeverEarly()) {
      warnings.add(
          "propagation-minimum=%s has no effect at any traffic: silence counts from %s on, when every"
                  .formatted(
                      Durations.format(plan.propagationMinimum()), Durations.format(closeRamp()))
              + " response says close, and takes %s at the least. Raise propagation-delay=%s to more"
                  .formatted(
                      Durations.format(SilenceCriterion.SHORTEST),
                      Durations.format(plan.propagationDelay()))
              + " than %s, or drop propagation-minimum"
                  .formatted(
                      Durations.format(
                          SilenceCriterion.SHORTEST.multipliedBy(2).plus(plan.preStopDelay()))));
    }
    if (plan.isGiven(Setting.PROPAGATION_ROUTERS) && !plan.isGiven(Setting.PROPAGATION_MINIMUM)) {
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

  /** Returns a warning if a step has, or wants, a time that its phase cannot give it. */
  Optional<String> of(Step step) {
    return switch (step.phase()) {
      case DRAIN -> warning(step, Setting.DRAIN_TIMEOUT, plan.drainTimeout(), plan.drainTimeout());
      case CLOSE_CONNECTIONS ->
          warning(step, Setting.CLOSE_TIMEOUT, plan.closeTimeout(), longestClosing());
      case EXIT -> warning(step, Setting.EXIT_TIMEOUT, plan.exitTimeout(), plan.exitTimeout());
      // These end by the clock, and their steps may run on.
      case KEEP_SERVING, FAIL_READINESS -> Optional.empty();
    };
  }

  /** What closers have behind a DRAIN that had nothing to do. */
  private Duration longestClosing() {
    return plan.closesWhatRemains()
        ? plan.untilHalt()
            .minus(plan.keepServing())
            .minus(plan.readinessHold())
            .minus(plan.exitTimeout())
        : plan.closeTimeout();
  }

  private static Optional<String> warning(
      Step step, Setting<Duration> bound, Duration time, Duration longest) {
    Optional<String> wanted =
        step.timeout()
            .filter(timeout -> timeout.compareTo(longest) > 0)
            .map(timeout -> "has a timeout of " + Durations.format(timeout))
            .or(() -> time.isZero() ? Optional.of("needs some time") : Optional.empty());
    return wanted.map(
        what ->
            "step '%s' %s, and is cut off with its phase, %s: %s=%s. Raise that, or shorten the"
                    .formatted(step.name(), what, step.phase(), bound.name(), bound.format(time))
                + " step");
  }
}
