package io.lastcall;

import io.lastcall.component.Components;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.Jvm;
import io.lastcall.publish.ReportPublisher;
import io.lastcall.report.ShutdownListener;
import io.lastcall.sequence.Registrations;
import io.lastcall.spi.Extension;
import io.lastcall.spi.SimulatedProcess;
import io.lastcall.time.Ticker;
import io.lastcall.work.WorkSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;

/**
 * Settings and participants of a {@link GracefulShutdown}. A system property {@code lastcall.*} or
 * a variable {@code LASTCALL_*} overrides a setting of the builder. Not thread-safe; used once.
 */
public final class GracefulShutdownBuilder {
  private final Registrations registrations = new Registrations();
  private Extensions extensions = Extensions.find();
  private SettingSources sources =
      new SettingSources(System.getenv(), System.getProperties(), extensions.settings());
  private Jvm jvm = Jvm.current();
  private Ticker ticker = Ticker.system();
  private boolean awaitStarted;
  private boolean installed;

  GracefulShutdownBuilder() {}

  /**
   * Returns a builder with the defaults, whose shutdown runs in a simulated process instead of this
   * one: it takes no signal of this JVM, reads none of its settings, and its exit ends nothing. For
   * {@code lastcall-test}, which tests use.
   */
  public static GracefulShutdownBuilder simulated(SimulatedProcess process) {
    return new GracefulShutdownBuilder()
        .seams(new SimulatedJvm(process), process.ticker())
        .environment(process.environment(), process.properties());
  }

  /** The pod's terminationGracePeriodSeconds, which a process cannot read. Default: 30s. */
  public GracefulShutdownBuilder gracePeriod(Duration gracePeriod) {
    return set(Setting.GRACE_PERIOD, gracePeriod);
  }

  /**
   * How long to serve on while routers learn that the pod is going. Default: 15s, at most half the
   * grace period, or what a short one leaves; 0s outside Kubernetes, and without a server.
   */
  public GracefulShutdownBuilder propagationDelay(Duration propagationDelay) {
    return set(Setting.PROPAGATION_DELAY, propagationDelay);
  }

  /** The earliest end of the propagation delay, where silence is evidence. Default: the delay. */
  public GracefulShutdownBuilder adaptivePropagation(Duration minimum, Duration maximum) {
    set(Setting.PROPAGATION_MINIMUM, minimum);
    return set(Setting.PROPAGATION_DELAY, maximum);
  }

  /** How many routers send here: nodes with kube-proxy, or ingress replicas. Default: 10. */
  public GracefulShutdownBuilder propagationRouters(int routers) {
    return set(Setting.PROPAGATION_ROUTERS, routers);
  }

  /** The preStop hook's sleep: part of the grace period and of propagation. Default: 0s. */
  public GracefulShutdownBuilder preStopDelay(Duration preStopDelay) {
    return set(Setting.PRE_STOP_DELAY, preStopDelay);
  }

  /** The secret that opens /prestop and /lameduck. Default: off. */
  public GracefulShutdownBuilder preStopToken(String token) {
    Setting<ProbeToken> setting = Setting.PRE_STOP_TOKEN;
    return set(setting, setting.parse(given(setting, token), "pre-stop-token (code)"));
  }

  /** When readiness fails: AFTER_PROPAGATION, IMMEDIATE or NEVER. Default: AFTER_PROPAGATION. */
  public GracefulShutdownBuilder readinessPolicy(ReadinessPolicy policy) {
    return set(Setting.READINESS_POLICY, policy);
  }

  /**
   * How long to serve on after readiness fails. Default: 0s; up to 10s if connections still come.
   */
  public GracefulShutdownBuilder readinessHold(Duration hold) {
    return set(Setting.READINESS_HOLD, hold);
  }

  /** How long DRAIN may take. Default: what remains. */
  public GracefulShutdownBuilder drainTimeout(Duration timeout) {
    return set(Setting.DRAIN_TIMEOUT, timeout);
  }

  /** What happens to new requests in DRAIN: SERVE or REJECT. Default: SERVE. */
  public GracefulShutdownBuilder lateRequests(LateRequestPolicy policy) {
    return set(Setting.LATE_REQUESTS, policy);
  }

  /** How long CLOSE_CONNECTIONS may take. Default: 5s, at most a quarter of the rest. */
  public GracefulShutdownBuilder closeTimeout(Duration timeout) {
    return set(Setting.CLOSE_TIMEOUT, timeout);
  }

  /** What is kept for EXIT. Default: 1s, at most a quarter of what the reserve leaves. */
  public GracefulShutdownBuilder exitTimeout(Duration timeout) {
    return set(Setting.EXIT_TIMEOUT, timeout);
  }

  /** The longest DRAIN after a System.exit of the application. Default: 5s. */
  public GracefulShutdownBuilder exitDrainTimeout(Duration timeout) {
    return set(Setting.EXIT_DRAIN_TIMEOUT, timeout);
  }

  /**
   * How long before SIGKILL the process is gone at the latest. Default: 1s, the least; 500ms of a
   * short grace period.
   */
  public GracefulShutdownBuilder reserve(Duration reserve) {
    return set(Setting.RESERVE, reserve);
  }

  /** The exit code of a clean shutdown: 0 or 143. Default: 0; 143 by a signal without a server. */
  public GracefulShutdownBuilder cleanExitCode(int code) {
    return set(Setting.CLEAN_EXIT_CODE, code);
  }

  /** The signals that mean stop, for images with another STOPSIGNAL. Default: TERM. */
  public GracefulShutdownBuilder stopSignals(String... signals) {
    for (String signal : given(Setting.STOP_SIGNALS, signals)) {
      given(Setting.STOP_SIGNALS, signal);
    }
    return set(Setting.STOP_SIGNALS, List.of(signals));
  }

  /** The report and the plan in the log: LINES, or ONE_LINE for collectors. Default: LINES. */
  public GracefulShutdownBuilder reportLog(ReportLog form) {
    return set(Setting.REPORT_LOG, form);
  }

  /** Where the report is written as JSON at the end. Default: off. */
  public GracefulShutdownBuilder reportFile(Path file) {
    return set(Setting.REPORT_FILE, Optional.of(given(Setting.REPORT_FILE, file)));
  }

  /** Returns every setting there is, those of other artifacts on the class path included. */
  public List<Setting<?>> settings() {
    return sources.settings();
  }

  /**
   * Sets a value as text, from a configuration file of the application's framework, or for a
   * setting of another artifact. It overrides a value that is set in code.
   *
   * @param origin where the value is, ending in the setting's name there, such as {@code
   *     application.yml lastcall.grace-period}
   * @throws IllegalArgumentException if there is no such setting, or the text is no value of it
   */
  public GracefulShutdownBuilder configuration(String name, String text, String origin) {
    checkOpen();
    Objects.requireNonNull(text, () -> name + " (" + origin + ") must not be null");
    sources.configure(name, text, origin);
    return this;
  }

  /**
   * Says that {@code install()} does not mean started: until {@link GracefulShutdown#started()},
   * the start-up probe fails and a stop signal exits at once with 143.
   */
  public GracefulShutdownBuilder awaitStarted() {
    checkOpen();
    awaitStarted = true;
    return this;
  }

  /**
   * Adds components, as {@link GracefulShutdown#components} does; one of them may carry
   * {@code @ShutdownSettings}.
   *
   * @throws IllegalArgumentException for a member that cannot be a step, a second class with
   *     settings, or a collection in place of its elements
   */
  public GracefulShutdownBuilder components(Object... components) {
    checkOpen();
    Objects.requireNonNull(components, "components must not be null");
    for (Object component : components) {
      List<Step> steps = Components.steps(component);
      Map<String, WorkSource> works = Components.sources(component);
      if (steps.isEmpty() && works.isEmpty()) {
        Components.reportNoSteps(component);
      }
      if (registrations.components().add(component)) {
        steps.forEach(registrations::add);
        registrations.sources().addAll(works.entrySet());
      }
      sources.annotated(component.getClass());
    }
    return this;
  }

  /** Adds a step; see {@link GracefulShutdown#step(Step)}. */
  public GracefulShutdownBuilder step(Step step) {
    open().add(step);
    return this;
  }

  /** Adds a step of order 0 without a timeout of its own. */
  public GracefulShutdownBuilder step(Phase phase, String name, StepAction action) {
    return step(Step.of(phase, name, action));
  }

  /** Adds a server; see {@link GracefulShutdown#server}. */
  public GracefulShutdownBuilder server(DrainableServer server) {
    open().add(server);
    return this;
  }

  /** Adds a listener. */
  public GracefulShutdownBuilder listener(ShutdownListener listener) {
    open().notifier().add(listener);
    return this;
  }

  /**
   * Makes and checks the plan, and installs nothing: for a test of settings and annotations.
   *
   * @throws IllegalArgumentException as {@link #install()}, except for a signal or port of the host
   */
  public ShutdownPlan plan() {
    ShutdownPlan plan = ShutdownPlan.of(sources);
    extensions.check(plan);
    return plan;
  }

  /**
   * Checks the plan, prints it, and takes the stop signals. Call it first in {@code main}: a signal
   * before it ends the JVM without a drain.
   *
   * @throws IllegalArgumentException if a setting is no value, or the plan does not fit
   * @throws IllegalStateException if a shutdown is installed in this process already
   */
  public GracefulShutdown install() {
    checkOpen();
    try {
      // Made before the claim: if it fails, there is no claim to give back.
      GracefulShutdown shutdown = new GracefulShutdown(plan(), registrations, jvm, ticker);
      if (!jvm.claim()) {
        throw new IllegalStateException(
            "install(): a GracefulShutdown is installed in this process already; allowed: one at a"
                + " time, uninstall() the other first");
      }
      try {
        shutdown.start(extensions, !awaitStarted);
      } catch (RuntimeException | Error e) { // an Error where no thread can be started
        shutdown.uninstall();
        throw e;
      }
      installed = true;
      return shutdown;
    } catch (IllegalArgumentException e) {
      // The process ends by this, and kubectl describe pod shows why.
      ReportPublisher.leaveMessage(jvm.terminationMessage(), "install(): " + e.getMessage());
      throw e;
    }
  }

  GracefulShutdownBuilder seams(Jvm otherJvm, Ticker otherTicker) {
    jvm = otherJvm;
    ticker = otherTicker;
    return this;
  }

  GracefulShutdownBuilder environment(
      Map<String, String> environment, Properties properties, Extension... inPlaceOfFound) {
    extensions = inPlaceOfFound.length == 0 ? extensions : Extensions.of(inPlaceOfFound);
    sources = new SettingSources(environment, properties, extensions.settings());
    return this;
  }

  private <T> GracefulShutdownBuilder set(Setting<T> setting, T value) {
    checkOpen();
    sources.set(setting, given(setting, value));
    return this;
  }

  private static <T> T given(Setting<?> setting, T value) {
    return Objects.requireNonNull(value, setting.name() + " must not be null");
  }

  private Registrations open() {
    checkOpen();
    return registrations;
  }

  private void checkOpen() {
    if (installed) {
      throw new IllegalStateException(
          "This builder is installed already; allowed: settings before install(), steps, servers"
              + " and listeners on the GracefulShutdown until it begins");
    }
  }
}
