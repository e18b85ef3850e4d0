package io.lastcall.plan;

import io.lastcall.inflight.LateRequestPolicy;
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
import java.util.Set;
import java.util.stream.Collectors;
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

  /** The exit code of SIGINT without a server, or before start-up was over: 128 + SIGINT. */
  public static final int INTERRUPTED_EXIT_CODE = 130;

  private final Map<Setting<?>, PlanValue<?>> rows = new LinkedHashMap<>();
  private final List<String> unknownNames;
  private final boolean shortened;

  /**
   * @param settings the settings, in the order of the table
   * @param found a value for each of them
   * @param unknownNames a warning for each variable or property that looks like a setting and is
   *     none
   * @param shortened whether the shutdown has less time than was declared
   */
  ShutdownPlan(
      List<Setting<?>> settings,
      Map<Setting<?>, PlanValue<?>> found,
      List<String> unknownNames,
      boolean shortened) {
    settings.forEach(setting -> rows.put(setting, found.get(setting)));
    this.unknownNames = unknownNames;
    this.shortened = shortened;
  }

  /**
   * Finds every value and checks that the whole fits.
   *
   * @throws IllegalArgumentException if a value is no value, or the plan does not fit the grace
   *     period: with the arithmetic
   * @hidden of the library itself
   */
  public static ShutdownPlan of(SettingSources sources) {
    return new PlanArithmetic(sources, Optional.empty()).plan();
  }

  /**
   * Returns the plan of a shutdown that turns out to have less time; for the library itself.
   *
   * @param grace the time from the trigger to SIGKILL
   * @param waited the part of the propagation delay that had passed before the trigger
   * @hidden of the library itself
   */
  public ShutdownPlan shortenedTo(Duration grace, Duration waited) {
    return new ShorterPlan(this).within(grace, waited);
  }

  /** Returns whether the shutdown has less time than was declared. */
  public boolean isShortened() {
    return shortened;
  }

  /**
   * Returns whether the time from the trigger to SIGKILL is so short that requests are served and
   * finished at the same time, up to its end: at most 15 s.
   *
   * @hidden of the library itself
   */
  public boolean isShort() {
    return new Shares(gracePeriod().minus(preStopDelay())).isShort();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#gracePeriod}. */
  public Duration gracePeriod() {
    return value(Setting.GRACE_PERIOD).value();
  }

  /**
   * As {@link io.lastcall.GracefulShutdownBuilder#propagationDelay}. None after SIGINT or a JVM
   * exit.
   */
  public Duration propagationDelay() {
    return value(Setting.PROPAGATION_DELAY).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#adaptivePropagation}. */
  public Duration propagationMinimum() {
    return Durations.min(value(Setting.PROPAGATION_MINIMUM).value(), propagationDelay());
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#propagationRouters}. */
  public int propagationRouters() {
    return value(Setting.PROPAGATION_ROUTERS).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#preStopDelay}. */
  public Duration preStopDelay() {
    return value(Setting.PRE_STOP_DELAY).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#preStopToken}. */
  public ProbeToken preStopToken() {
    return value(Setting.PRE_STOP_TOKEN).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#readinessPolicy}. */
  public ReadinessPolicy readinessPolicy() {
    return value(Setting.READINESS_POLICY).value();
  }

  /**
   * As {@link io.lastcall.GracefulShutdownBuilder#readinessHold}. None after SIGINT or a JVM exit.
   */
  public Duration readinessHold() {
    return value(Setting.READINESS_HOLD).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#drainTimeout}. */
  public Duration drainTimeout() {
    return value(Setting.DRAIN_TIMEOUT).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#lateRequests}. */
  public LateRequestPolicy lateRequests() {
    return value(Setting.LATE_REQUESTS).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#closeTimeout}. */
  public Duration closeTimeout() {
    return value(Setting.CLOSE_TIMEOUT).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#exitTimeout}. */
  public Duration exitTimeout() {
    return value(Setting.EXIT_TIMEOUT).value();
  }

  /**
   * As {@link io.lastcall.GracefulShutdownBuilder#exitDrainTimeout}. After that or SIGINT, also the
   * longest time of the steps before it.
   */
  public Duration exitDrainTimeout() {
    return value(Setting.EXIT_DRAIN_TIMEOUT).value();
  }

  /**
   * As {@link io.lastcall.GracefulShutdownBuilder#reserve}. The exit of a JVM with threads in
   * native code takes 310 ms.
   */
  public Duration reserve() {
    return value(Setting.RESERVE).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#cleanExitCode}. By SIGINT it is 130. */
  public int cleanExitCode() {
    return value(Setting.CLEAN_EXIT_CODE).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#stopSignals}. */
  public List<String> stopSignals() {
    return value(Setting.STOP_SIGNALS).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#reportLog}. */
  public ReportLog reportLog() {
    return value(Setting.REPORT_LOG).value();
  }

  /** As {@link io.lastcall.GracefulShutdownBuilder#reportFile}. */
  public Optional<Path> reportFile() {
    return value(Setting.REPORT_FILE).value();
  }

  Set<Setting<?>> settings() {
    return rows.keySet();
  }

  /** Returns every value with its source, in the order of the table. */
  public List<PlanValue<?>> values() {
    return List.copyOf(rows.values());
  }

  /** Returns the effective value of a setting, and where it is from. */
  @SuppressWarnings("unchecked") // a PlanValue<T> is kept under its Setting<T>
  public <T> PlanValue<T> value(Setting<T> setting) {
    return (PlanValue<T>) Objects.requireNonNull(rows.get(setting), setting.name());
  }

  /**
   * Returns warnings about values that are valid and probably not meant, each with a fix, and about
   * variables and properties that look like settings and are none.
   */
  public List<String> warnings() {
    return Stream.concat(unknownNames.stream(), new PlanWarnings(this).all().stream()).toList();
  }

  /** Returns a warning if a step has, or wants, a time that its phase cannot give it. */
  public Optional<String> warning(Step step) {
    return new PlanWarnings(this).of(step);
  }

  /** Returns how long to serve on after the trigger: the delay less the preStop hook's sleep. */
  public Duration keepServing() {
    return lessPreStop(propagationDelay());
  }

  /** Returns how long to serve on at least; less than {@link #keepServing()} if adaptive. */
  public Duration keepServingAtLeast() {
    return lessPreStop(propagationMinimum());
  }

  /** Returns whether the propagation delay may end early when silence is evidence. */
  public boolean isAdaptive() {
    return propagationMinimum().compareTo(propagationDelay()) < 0;
  }

  private Duration lessPreStop(Duration wait) {
    return Durations.positive(wait.minus(preStopDelay()));
  }

  /**
   * Returns whether DRAIN may take what remains, since no drain timeout is set.
   *
   * @hidden of the library itself
   */
  public boolean drainsWhatRemains() {
    return value(Setting.DRAIN_TIMEOUT).isDefault();
  }

  /**
   * Returns whether closers may take what remains, since no close timeout is set.
   *
   * @hidden of the library itself
   */
  public boolean closesWhatRemains() {
    return value(Setting.CLOSE_TIMEOUT).isDefault();
  }

  /** Returns the time from the trigger to the halt, when the process is gone whatever hangs. */
  public Duration untilHalt() {
    return gracePeriod().minus(preStopDelay()).minus(reserve());
  }

  /**
   * Returns how long a Pod that leaves stays beside its successor: {@code 15s to 29s}; empty where
   * no router is waited for, as outside Kubernetes.
   *
   * @param server whether there is a server; without one, yet, the Pod may leave at once
   */
  public Optional<String> stay(boolean server) {
    if (propagationDelay().isZero()) {
      return Optional.empty();
    }
    String most = Durations.format(gracePeriod().minus(reserve()));
    boolean waits = server || !value(Setting.PROPAGATION_DELAY).isDefault();
    Duration least = preStopDelay().plus(keepServingAtLeast());
    return Optional.of(waits ? Durations.format(least) + " to " + most : "up to " + most);
  }

  /** Returns what differs from another plan: {@code propagation-delay 3s instead of 15s, ...}. */
  public String changes(ShutdownPlan before) {
    return rows.keySet().stream()
        .filter(setting -> !value(setting).text().equals(before.value(setting).text()))
        .map(
            setting ->
                "%s %s instead of %s"
                    .formatted(setting.name(), value(setting).text(), before.value(setting).text()))
        .collect(Collectors.joining(", "));
  }

  /** Returns the plan of a process with a server as an aligned table: setting, value, source. */
  public String table() {
    return table(true);
  }

  /**
   * As {@link #table()}.
   *
   * @param server whether there is a server; without one no router is waited for, and a process
   *     that a signal ends exits as it would without this library
   */
  public String table(boolean server) {
    return new PlanText(this, server).table();
  }

  /** Returns the plan in one line, as {@link #table(boolean)}. */
  public String line(boolean server) {
    return new PlanText(this, server).line();
  }

  @Override
  public String toString() {
    return table();
  }
}
