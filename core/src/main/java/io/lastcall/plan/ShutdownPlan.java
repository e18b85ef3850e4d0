package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.json.Json;
import io.lastcall.phase.Step;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a shutdown will do and how long each part may take: every effective value, checked to fit
 * the grace period. Immutable.
 *
 * @param gracePeriod the pod's {@code terminationGracePeriodSeconds}: SIGTERM (or preStop) to
 *     SIGKILL. A process cannot read it (kubernetes#50032), so it must be declared. Default 30 s,
 *     as in Kubernetes.
 * @param propagationDelay how long everything is served on while the endpoint's removal reaches
 *     every router; not after SIGINT, or an exit that somebody else has begun. Default 15 s, at
 *     most half the grace period; 0 outside Kubernetes.
 * @param propagationMinimum the earliest end of that wait where silence is evidence that no router
 *     sends here any more (adaptive propagation). Default: the delay itself, that is, a fixed wait.
 * @param propagationError the accepted probability that a request comes after an early end. Default
 *     0.01.
 * @param propagationRouters how many routers send here: nodes with kube-proxy, or ingress replicas.
 *     Default 10.
 * @param preStopDelay a sleep that the manifest's preStop hook does before the signal, or before it
 *     calls {@code /prestop}. It is subtracted from the grace period, and counts as propagation,
 *     whatever begins the shutdown. Default 0.
 * @param preStopToken the secret that opens {@code /prestop} and {@code /lameduck}. Default off:
 *     there are no such endpoints.
 * @param readinessPolicy when readiness fails. Default AFTER_PROPAGATION.
 * @param readinessHold how long to serve on after readiness failed, for health checkers outside the
 *     cluster; not after SIGINT, or an exit that somebody else has begun. Default 0.
 * @param drainTimeout how long DRAIN may take. Default: what remains.
 * @param lateRequests what happens to requests that arrive in DRAIN. Default SERVE.
 * @param lateCutoff how long before the drain timeout new requests are refused, so that admitted
 *     ones can finish. Default 5 s, at most half the drain timeout.
 * @param closeTimeout how long CLOSE_CONNECTIONS may take, and is kept for it. Default 5 s, at most
 *     a quarter of what propagation, readiness hold, exit and reserve leave; by default closers may
 *     take what the phases before have left over, too.
 * @param closeWindow the longest time over which long-lived connections are told to close; few
 *     connections take less, and where there are closers at most a quarter of the phase. Default 2
 *     s, at most half the close timeout.
 * @param exitTimeout what is kept for EXIT: telemetry, stopping servers, other JVM hooks. Default 1
 *     s, at most a quarter of the grace period behind the reserve.
 * @param exitDrainTimeout how long DRAIN may take after somebody else's {@code System.exit}; and,
 *     after that or SIGINT, how long the steps of KEEP_SERVING and FAIL_READINESS may. Default 5 s.
 * @param reserve how long before the grace period ends the process is gone whatever happens. At
 *     least, and by default, 1 s: the exit of a JVM with threads in native code takes 310 ms. Add
 *     to it when native sidecars must end after this container.
 * @param cleanExitCode the exit code of a clean shutdown: 0 (default) or 143.
 * @param stopSignals the signals that mean "stop", for images with another STOPSIGNAL (KEP-4960).
 *     Default TERM. SIGINT that is not among them is a person at a terminal.
 * @param reportFile where the report is written as JSON at the end. Default off.
 * @param values every value with its source, in the order of the table
 * @param unknownNames a warning for each variable or property that looks like a setting and is none
 */
public record ShutdownPlan(
    Duration gracePeriod,
    Duration propagationDelay,
    Duration propagationMinimum,
    double propagationError,
    int propagationRouters,
    Duration preStopDelay,
    ProbeToken preStopToken,
    ReadinessPolicy readinessPolicy,
    Duration readinessHold,
    Duration drainTimeout,
    LateRequestPolicy lateRequests,
    Duration lateCutoff,
    Duration closeTimeout,
    Duration closeWindow,
    Duration exitTimeout,
    Duration exitDrainTimeout,
    Duration reserve,
    int cleanExitCode,
    List<String> stopSignals,
    Optional<Path> reportFile,
    List<PlanValue<?>> values,
    List<String> unknownNames) {

  /** The exit code when the sequence ended but something timed out, failed or was abandoned. */
  public static final int INCOMPLETE_EXIT_CODE = 80;

  /** The exit code when the process had to be halted at the deadline. */
  public static final int HALTED_EXIT_CODE = 81;

  /** The exit code of a stop signal before start-up was over: 128 + SIGTERM. */
  public static final int NOT_STARTED_EXIT_CODE = 143;

  /** The default propagation delay where the grace period has room for it. */
  static final Duration USUAL_DELAY = Duration.ofSeconds(15);

  /** Makes the lists unmodifiable. */
  public ShutdownPlan {
    stopSignals = List.copyOf(stopSignals);
    values = List.copyOf(values);
    unknownNames = List.copyOf(unknownNames);
  }

  /**
   * Finds every value and checks that the whole fits.
   *
   * @throws IllegalArgumentException if a value is no value, or the plan does not fit the grace
   *     period: with the arithmetic
   */
  public static ShutdownPlan of(SettingSources sources) {
    return new PlanArithmetic(sources, Optional.empty()).plan();
  }

  /** Returns what fits and is hardly meant, each with its cure; unknown names among it. */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>(unknownNames);
    boolean shorter = propagationDelay.compareTo(USUAL_DELAY) < 0 && !propagationDelay.isZero();
    if (shorter && !isGiven(Setting.PROPAGATION_DELAY)) {
      warnings.add(
          "grace-period=%s is too short for the usual propagation-delay of %s: it is %s. Raise"
                  .formatted(
                      Durations.format(gracePeriod),
                      Durations.format(USUAL_DELAY),
                      Durations.format(propagationDelay))
              + " grace-period together with the pod's terminationGracePeriodSeconds to 30s,"
              + " or set propagation-delay");
    }
    if (!preStopDelay.isZero() && preStopToken.isSet()) {
      warnings.add(
          "pre-stop-delay=%s is taken from KEEP_SERVING and from the time to the halt behind"
                  .formatted(Durations.format(preStopDelay))
              + " /prestop, too: right only if the hook sleeps before it calls /prestop. If it does"
              + " not, drop pre-stop-delay");
    }
    if (!readinessHold.isZero() && readinessPolicy == ReadinessPolicy.NEVER) {
      warnings.add(
          "readiness-hold=%s waits for what nobody can see: readiness-policy=NEVER. Set one of them"
                  .formatted(Durations.format(readinessHold))
              + " otherwise");
    }
    if (isAdaptive() && isNeverEarly()) {
      warnings.add(
          "propagation-minimum=%s has no effect: from three quarters of propagation-delay=%s on it"
                  .formatted(
                      Durations.format(propagationMinimum), Durations.format(propagationDelay))
              + " is waited to its end. Set less, or drop it");
    }
    if (!isAdaptive() && !isGiven(Setting.PROPAGATION_MINIMUM)) {
      Stream.of(Setting.PROPAGATION_ERROR, Setting.PROPAGATION_ROUTERS)
          .filter(this::isGiven)
          .map(set -> set.name() + " has no effect without propagation-minimum")
          .forEach(warnings::add);
    }
    return warnings;
  }

  /** In the last quarter idle connections are closed, and the wait goes on to its end. */
  private boolean isNeverEarly() {
    Duration lastQuarter = keepServing().multipliedBy(3).dividedBy(4);
    return !lastQuarter.isZero() && keepServingAtLeast().compareTo(lastQuarter) >= 0;
  }

  private boolean isGiven(Setting<?> setting) {
    return !value(setting).isDefault();
  }

  /** Returns the effective value of a setting, and where it is from. */
  @SuppressWarnings("unchecked") // a value's name is that of the setting it was parsed by
  public <T> PlanValue<T> value(Setting<T> setting) {
    return (PlanValue<T>)
        values.stream()
            .filter(value -> value.name().equals(setting.name()))
            .findAny()
            .orElseThrow();
  }

  /** Returns a warning if a step has, or wants, a time that its phase cannot give it. */
  public Optional<String> warning(Step step) {
    return switch (step.phase()) {
      case DRAIN -> warning(step, Setting.DRAIN_TIMEOUT, drainTimeout, drainTimeout);
      case CLOSE_CONNECTIONS ->
          warning(step, Setting.CLOSE_TIMEOUT, closeTimeout, longestClosing());
      case EXIT -> warning(step, Setting.EXIT_TIMEOUT, exitTimeout, exitTimeout);
      // These end by the clock, and their steps may run on.
      case KEEP_SERVING, FAIL_READINESS -> Optional.empty();
    };
  }

  /** What closers have behind a DRAIN that had nothing to do. */
  private Duration longestClosing() {
    return closesWhatRemains()
        ? untilHalt().minus(keepServing()).minus(readinessHold).minus(exitTimeout)
        : closeTimeout;
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

  /** Returns how long is served on after the trigger: the delay less what preStop has waited. */
  public Duration keepServing() {
    return lessPreStop(propagationDelay);
  }

  /** Returns how long is served on at least; less than {@link #keepServing()} if adaptive. */
  public Duration keepServingAtLeast() {
    return lessPreStop(propagationMinimum);
  }

  /** Returns whether the wait may end early when silence is evidence. */
  public boolean isAdaptive() {
    return propagationMinimum.compareTo(propagationDelay) < 0;
  }

  private Duration lessPreStop(Duration wait) {
    Duration rest = wait.minus(preStopDelay);
    return rest.isNegative() ? Duration.ZERO : rest;
  }

  /** Returns whether DRAIN may take whatever remains, and not just a timeout that somebody set. */
  public boolean drainsWhatRemains() {
    return !isGiven(Setting.DRAIN_TIMEOUT);
  }

  /**
   * Returns whether closers may take whatever remains, and not just a timeout that somebody set.
   */
  public boolean closesWhatRemains() {
    return !isGiven(Setting.CLOSE_TIMEOUT);
  }

  /** Returns the time from the trigger to the moment the process is gone whatever happens. */
  public Duration untilHalt() {
    return gracePeriod.minus(preStopDelay).minus(reserve);
  }

  /**
   * Returns the smallest {@code terminationGracePeriodSeconds}, in whole seconds, that would fit
   * what somebody has set and the propagation delay; other defaults shrink to fit.
   */
  public Duration smallestGracePeriod() {
    return SmallestGracePeriod.of(this);
  }

  /** Returns the plan as a bar of its phases, a character a second. */
  public String timeline() {
    return new Timeline(this).draw();
  }

  /** Returns the plan as JSON: every value with its source, and the smallest grace period. */
  public String json() {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (PlanValue<?> value : values) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("name", value.name());
      row.put("value", value.json());
      row.put("text", value.text());
      row.put("source", value.source());
      row.put("origin", value.origin());
      rows.add(row);
    }
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("values", rows);
    plan.put("smallestGracePeriod", smallestGracePeriod());
    return Json.write(plan);
  }

  /** Returns the plan as an aligned table: setting, value, source. */
  public String table() {
    StringBuilder table = new StringBuilder();
    int names = width(values.stream().map(PlanValue::name).toList());
    int texts = width(values.stream().map(PlanValue::text).toList());
    for (PlanValue<?> value : values) {
      String row = "  %-" + names + "s  %-" + texts + "s  %s%n";
      table.append(row.formatted(value.name(), value.text(), value.sourceText()));
    }
    return table.toString();
  }

  private static int width(List<String> column) {
    return column.stream().mapToInt(String::length).max().orElse(1);
  }
}
