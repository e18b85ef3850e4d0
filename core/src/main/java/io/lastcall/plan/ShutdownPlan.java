package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.json.Json;
import io.lastcall.phase.Step;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What a shutdown will do and how long each part may take: every effective value, checked to fit
 * the grace period. Immutable.
 */
public final class ShutdownPlan {
  /** The exit code when the sequence ended but something timed out, failed or was abandoned. */
  public static final int INCOMPLETE_EXIT_CODE = 80;

  /** The exit code when work was handed back, to be done by another process: EX_TEMPFAIL. */
  public static final int HANDED_BACK_EXIT_CODE = 75;

  /** The exit code when the process had to be halted at the deadline. */
  public static final int HALTED_EXIT_CODE = 81;

  /** The exit code of a stop signal before start-up was over: 128 + SIGTERM. */
  public static final int NOT_STARTED_EXIT_CODE = 143;

  private final Map<Setting<?>, PlanValue<?>> rows = new LinkedHashMap<>();
  private final List<String> unknownNames;

  /**
   * @param settings the settings, in the order of the table
   * @param found a value for each of them
   * @param unknownNames a warning for each variable or property that looks like a setting and is
   *     none
   */
  ShutdownPlan(
      List<Setting<?>> settings, Map<Setting<?>, PlanValue<?>> found, List<String> unknownNames) {
    settings.forEach(setting -> rows.put(setting, found.get(setting)));
    this.unknownNames = unknownNames;
  }

  /**
   * Finds every value and checks that the whole fits.
   *
   * @throws IllegalArgumentException if a value is no value, a setting is set that there is no
   *     more, or the plan does not fit the grace period: with the arithmetic
   */
  public static ShutdownPlan of(SettingSources sources) {
    sources.refuseFormer();
    return new PlanArithmetic(sources, Optional.empty()).plan();
  }

  /**
   * Returns the pod's {@code terminationGracePeriodSeconds}: SIGTERM (or preStop) to SIGKILL. A
   * process cannot read it (kubernetes#50032), so it must be declared. Default 30 s, as in
   * Kubernetes.
   */
  public Duration gracePeriod() {
    return value(Setting.GRACE_PERIOD).value();
  }

  /**
   * Returns how long everything is served on while the endpoint's removal reaches every router; not
   * after SIGINT, or an exit that somebody else has begun. Default 15 s, at most half the grace
   * period; 0 outside Kubernetes, and in a process without a server or a counted request.
   */
  public Duration propagationDelay() {
    return value(Setting.PROPAGATION_DELAY).value();
  }

  /**
   * Returns the earliest end of that wait where silence is evidence that no router sends here any
   * more (adaptive propagation). Default: the delay itself, that is, a fixed wait.
   */
  public Duration propagationMinimum() {
    // Outside Kubernetes there is nothing to wait for.
    return Durations.min(value(Setting.PROPAGATION_MINIMUM).value(), propagationDelay());
  }

  /** Returns how many routers send here: nodes with kube-proxy, or ingress replicas. Default 10. */
  public int propagationRouters() {
    return value(Setting.PROPAGATION_ROUTERS).value();
  }

  /**
   * Returns the sleep that the manifest's preStop hook does before the signal, or before it calls
   * {@code /prestop}. It is subtracted from the grace period, and counts as propagation, whatever
   * begins the shutdown. Default 0.
   */
  public Duration preStopDelay() {
    return value(Setting.PRE_STOP_DELAY).value();
  }

  /**
   * Returns the secret that opens {@code /prestop} and {@code /lameduck}. Default off: there are no
   * such endpoints.
   */
  public ProbeToken preStopToken() {
    return value(Setting.PRE_STOP_TOKEN).value();
  }

  /** Returns when readiness fails. Default AFTER_PROPAGATION. */
  public ReadinessPolicy readinessPolicy() {
    return value(Setting.READINESS_POLICY).value();
  }

  /**
   * Returns how long to serve on after readiness failed, for health checkers outside the cluster;
   * not after SIGINT, or an exit that somebody else has begun. Default 0; up to 10 s where new
   * connections still come at the end of the propagation delay.
   */
  public Duration readinessHold() {
    return value(Setting.READINESS_HOLD).value();
  }

  /** Returns how long DRAIN may take. Default: what remains. */
  public Duration drainTimeout() {
    return value(Setting.DRAIN_TIMEOUT).value();
  }

  /** Returns what happens to requests that arrive in DRAIN. Default SERVE. */
  public LateRequestPolicy lateRequests() {
    return value(Setting.LATE_REQUESTS).value();
  }

  /**
   * Returns how long CLOSE_CONNECTIONS may take, and is kept for it. Default 5 s, at most a quarter
   * of what propagation, readiness hold, exit and reserve leave; by default closers may take what
   * the phases before have left over, too.
   */
  public Duration closeTimeout() {
    return value(Setting.CLOSE_TIMEOUT).value();
  }

  /**
   * Returns what is kept for EXIT: telemetry, stopping servers, other JVM hooks. Default 1 s, at
   * most a quarter of the grace period behind the reserve.
   */
  public Duration exitTimeout() {
    return value(Setting.EXIT_TIMEOUT).value();
  }

  /**
   * Returns how long DRAIN may take after somebody else's {@code System.exit}, where {@link
   * #drainTimeout} is not less; and, after that or SIGINT, how long the steps of KEEP_SERVING and
   * FAIL_READINESS may. Default 5 s.
   */
  public Duration exitDrainTimeout() {
    return value(Setting.EXIT_DRAIN_TIMEOUT).value();
  }

  /**
   * Returns how long before the grace period ends the process is gone whatever happens. At least,
   * and by default, 1 s: the exit of a JVM with threads in native code takes 310 ms. Add to it when
   * native sidecars must end after this container.
   */
  public Duration reserve() {
    return value(Setting.RESERVE).value();
  }

  /**
   * Returns the exit code of a clean shutdown: 0 or 143. Default 0; but a process without a server
   * or a counted request that a signal ends exits with 143, by SIGINT with 130.
   */
  public int cleanExitCode() {
    return value(Setting.CLEAN_EXIT_CODE).value();
  }

  /**
   * Returns the signals that mean "stop", for images with another STOPSIGNAL (KEP-4960). Default
   * TERM. SIGINT that is not among them is a person at a terminal.
   */
  public List<String> stopSignals() {
    return value(Setting.STOP_SIGNALS).value();
  }

  /** Returns how the report stands in the log. Default LINES. */
  public ReportLog reportLog() {
    return value(Setting.REPORT_LOG).value();
  }

  /** Returns where the report is written as JSON at the end. Default off. */
  public Optional<Path> reportFile() {
    return value(Setting.REPORT_FILE).value();
  }

  /** Returns every value with its source, in the order of the table. */
  public List<PlanValue<?>> values() {
    return List.copyOf(rows.values());
  }

  /** Returns what fits and is hardly meant, each with its cure; unknown names among it. */
  public List<String> warnings() {
    return Stream.concat(unknownNames.stream(), new PlanWarnings(this).all().stream()).toList();
  }

  boolean isGiven(Setting<?> setting) {
    return !value(setting).isDefault();
  }

  /** Returns the effective value of a setting, and where it is from. */
  @SuppressWarnings("unchecked") // a PlanValue<T> is kept under its Setting<T>
  public <T> PlanValue<T> value(Setting<T> setting) {
    return (PlanValue<T>) Objects.requireNonNull(rows.get(setting), setting.name());
  }

  /** Returns a warning if a step has, or wants, a time that its phase cannot give it. */
  public Optional<String> warning(Step step) {
    return new PlanWarnings(this).of(step);
  }

  /** Returns how long is served on after the trigger: the delay less what preStop has waited. */
  public Duration keepServing() {
    return lessPreStop(propagationDelay());
  }

  /** Returns how long is served on at least; less than {@link #keepServing()} if adaptive. */
  public Duration keepServingAtLeast() {
    return lessPreStop(propagationMinimum());
  }

  /** Returns whether the wait may end early when silence is evidence. */
  public boolean isAdaptive() {
    return propagationMinimum().compareTo(propagationDelay()) < 0;
  }

  private Duration lessPreStop(Duration wait) {
    Duration rest = wait.minus(preStopDelay());
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
    return gracePeriod().minus(preStopDelay()).minus(reserve());
  }

  /**
   * Returns the smallest {@code terminationGracePeriodSeconds}, in whole seconds, that would fit
   * what somebody has set and the propagation delay; other defaults shrink to fit.
   */
  public Duration smallestGracePeriod() {
    return SmallestGracePeriod.of(this);
  }

  /** Returns the plan as JSON: every value with its source, and the smallest grace period. */
  public String json() {
    Map<String, Object> plan = new LinkedHashMap<>();
    plan.put("values", rows.values().stream().map(PlanValue::row).toList());
    plan.put("smallestGracePeriod", smallestGracePeriod());
    return Json.write(plan);
  }

  /** Returns the plan as an aligned table: setting, value, source. */
  public String table() {
    StringBuilder table = new StringBuilder();
    String row = "  %-" + width(PlanValue::name) + "s  %-" + width(PlanValue::text) + "s  %s%n";
    rows.values()
        .forEach(
            value -> table.append(row.formatted(value.name(), value.text(), value.sourceText())));
    return table.toString();
  }

  @Override
  public String toString() {
    return table();
  }

  private int width(Function<PlanValue<?>, String> column) {
    return rows.values().stream().map(column).mapToInt(String::length).max().orElse(1);
  }
}
