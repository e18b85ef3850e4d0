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
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.Jvm;
import io.lastcall.publish.TerminationMessage;
import io.lastcall.report.ShutdownListener;
import io.lastcall.sequence.Registrations;
import io.lastcall.spi.Extension;
import io.lastcall.spi.SimulatedProcess;
import io.lastcall.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Settings and participants of a {@link GracefulShutdown}, before it is installed. A system
 * property {@code lastcall.*} or an environment variable {@code LASTCALL_*} overrides what is set
 * here. Not thread-safe; used once.
 */
public final class GracefulShutdownBuilder {
  private final Registrations registrations = new Registrations();
  private Extensions extensions = Extensions.find();
  private SettingSources sources =
      new SettingSources(System.getenv(), System.getProperties(), extensions.settings());
  private Jvm jvm = Jvm.current();
  private Ticker ticker = Ticker.system();
  private boolean awaitStarted;
  private @Nullable GracefulShutdown installed;

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

  /**
   * The pod's {@code terminationGracePeriodSeconds}, counted from the signal or the start of the
   * preStop hook to SIGKILL. The default is 30 seconds.
   */
  public GracefulShutdownBuilder gracePeriod(Duration gracePeriod) {
    return set(Setting.GRACE_PERIOD, gracePeriod);
  }

  /**
   * How long everything is served on after the trigger while the endpoint's removal reaches every
   * router; not after SIGINT, or an exit that somebody else has begun. The default is 15 seconds,
   * at most half the grace period; 0 outside Kubernetes, and without a server.
   */
  public GracefulShutdownBuilder propagationDelay(Duration propagationDelay) {
    return set(Setting.PROPAGATION_DELAY, propagationDelay);
  }

  /**
   * Lets the wait end early where silence is evidence that no router sends here any more: a
   * statistical test against the service's own traffic before the trigger. Low or unsteady traffic,
   * and a process younger than five minutes, wait the full maximum. The default is a fixed wait.
   *
   * @param minimum the earliest end
   * @param maximum the latest end: the propagation delay
   */
  public GracefulShutdownBuilder adaptivePropagation(Duration minimum, Duration maximum) {
    set(Setting.PROPAGATION_MINIMUM, minimum);
    return set(Setting.PROPAGATION_DELAY, maximum);
  }

  /** How many routers send here: nodes with kube-proxy, or ingress replicas. The default is 10. */
  public GracefulShutdownBuilder propagationRouters(int routers) {
    return set(Setting.PROPAGATION_ROUTERS, routers);
  }

  /**
   * A sleep the manifest's preStop hook does before the signal, or before it calls {@code
   * /prestop}: subtracted from the grace period, and counted as propagation, whatever begins the
   * shutdown. The default is 0.
   */
  public GracefulShutdownBuilder preStopDelay(Duration preStopDelay) {
    return set(Setting.PRE_STOP_DELAY, preStopDelay);
  }

  /**
   * The secret that opens {@code /prestop} and {@code /lameduck}, 16 to 200 characters out of A-Z
   * a-z 0-9 - . _ ~. Better from the environment. The default is off: there are no such paths.
   */
  public GracefulShutdownBuilder preStopToken(String token) {
    String given = given(Setting.PRE_STOP_TOKEN, token);
    return set(
        Setting.PRE_STOP_TOKEN, Setting.PRE_STOP_TOKEN.parse(given, "pre-stop-token (code)"));
  }

  /** When readiness fails. The default is {@link ReadinessPolicy#AFTER_PROPAGATION}. */
  public GracefulShutdownBuilder readinessPolicy(ReadinessPolicy policy) {
    return set(Setting.READINESS_POLICY, policy);
  }

  /**
   * How long to serve on after readiness failed; not after SIGINT, or an exit that somebody else
   * has begun. The default is 0; up to 10 seconds where new connections still come at the end of
   * the propagation delay.
   */
  public GracefulShutdownBuilder readinessHold(Duration hold) {
    return set(Setting.READINESS_HOLD, hold);
  }

  /** How long DRAIN may take. The default is what the other phases leave of the grace period. */
  public GracefulShutdownBuilder drainTimeout(Duration timeout) {
    return set(Setting.DRAIN_TIMEOUT, timeout);
  }

  /** What happens to requests in DRAIN. The default is {@link LateRequestPolicy#SERVE}. */
  public GracefulShutdownBuilder lateRequests(LateRequestPolicy policy) {
    return set(Setting.LATE_REQUESTS, policy);
  }

  /**
   * How long CLOSE_CONNECTIONS may take. The default is 5 seconds, at most a quarter of what
   * propagation, readiness hold, exit and reserve leave; closers may then take what the phases
   * before have left over, too.
   */
  public GracefulShutdownBuilder closeTimeout(Duration timeout) {
    return set(Setting.CLOSE_TIMEOUT, timeout);
  }

  /**
   * What is kept for telemetry, the servers' stop and other JVM hooks. The default is 1 second, at
   * most a quarter of the grace period behind the reserve.
   */
  public GracefulShutdownBuilder exitTimeout(Duration timeout) {
    return set(Setting.EXIT_TIMEOUT, timeout);
  }

  /**
   * How long DRAIN may take after somebody else's {@code System.exit}, where the drain timeout is
   * not less; and, after that or SIGINT, how long the steps of KEEP_SERVING and FAIL_READINESS may.
   * The default is 5 seconds.
   */
  public GracefulShutdownBuilder exitDrainTimeout(Duration timeout) {
    return set(Setting.EXIT_DRAIN_TIMEOUT, timeout);
  }

  /**
   * How long before the end of the grace period the process is gone whatever hangs. The default,
   * and the least, is 1 second.
   */
  public GracefulShutdownBuilder reserve(Duration reserve) {
    return set(Setting.RESERVE, reserve);
  }

  /**
   * The exit code of a clean shutdown, 0 or 143. The default is 0, and 143 where a signal ends a
   * process without a server.
   */
  public GracefulShutdownBuilder cleanExitCode(int code) {
    return set(Setting.CLEAN_EXIT_CODE, code);
  }

  /** The signals that mean "stop", without SIG. The default is TERM. */
  public GracefulShutdownBuilder stopSignals(String... signals) {
    for (String signal : given(Setting.STOP_SIGNALS, signals)) {
      given(Setting.STOP_SIGNALS, signal);
    }
    return set(Setting.STOP_SIGNALS, List.of(signals));
  }

  /** How the report stands in the log. The default is {@link ReportLog#LINES}. */
  public GracefulShutdownBuilder reportLog(ReportLog form) {
    return set(Setting.REPORT_LOG, form);
  }

  /**
   * Where the report is written as JSON at the end: a volume that outlives the container. The
   * default is nowhere.
   */
  public GracefulShutdownBuilder reportFile(Path file) {
    return set(Setting.REPORT_FILE, Optional.of(given(Setting.REPORT_FILE, file)));
  }

  /** Returns every setting there is, those of other artifacts on the class path included. */
  public List<Setting<?>> settings() {
    return sources.settings();
  }

  /**
   * Sets a value as text, from a configuration file of the application's framework, or for a
   * setting of another artifact. It overrides what is set in code, and the plan shows where it is
   * from. The default is none.
   *
   * @param name the setting's name in the plan, such as {@code grace-period}
   * @param text the value, such as {@code 30s}
   * @param origin where the value is, for the plan and for messages, ending in the setting's name
   *     there, such as {@code application.yml lastcall.grace-period}
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
   * the start-up probe fails and a stop signal exits at once with 143. The default is that
   * installing means started.
   */
  public GracefulShutdownBuilder awaitStarted() {
    checkOpen();
    awaitStarted = true;
    return this;
  }

  /**
   * Adds components: every member with {@code @OnShutdown} is a step, and one of them may carry
   * {@code @ShutdownSettings}. One that was added before is not added again. The default is none.
   *
   * @throws IllegalArgumentException for a member that cannot be a step, a second class with
   *     settings, or a collection in place of its elements: naming class, member, value and what is
   *     allowed
   */
  public GracefulShutdownBuilder components(Object... components) {
    checkOpen();
    Objects.requireNonNull(components, "components must not be null");
    for (Object component : components) {
      List<Step> steps = Components.steps(component);
      if (steps.isEmpty() && component instanceof Collection<?>) {
        throw new IllegalArgumentException(
            "components(%s) has no steps of its own; allowed: its elements, as in components(a, b)"
                .formatted(component.getClass().getName()));
      }
      if (registrations.addComponent(component)) {
        steps.forEach(registrations::add);
      }
      sources.annotated(component.getClass());
    }
    return this;
  }

  /** Adds a step; see {@link GracefulShutdown#step(Step)}. The default is none. */
  public GracefulShutdownBuilder step(Step step) {
    checkOpen();
    registrations.add(step);
    return this;
  }

  /** Adds a step of order 0 without a timeout of its own. The default is none. */
  public GracefulShutdownBuilder step(Phase phase, String name, StepAction action) {
    return step(Step.of(phase, name, action));
  }

  /** Adds a server; see {@link GracefulShutdown#server}. The default is none. */
  public GracefulShutdownBuilder server(DrainableServer server) {
    checkOpen();
    registrations.add(server);
    return this;
  }

  /** Adds a listener. The default is none. */
  public GracefulShutdownBuilder listener(ShutdownListener listener) {
    checkOpen();
    registrations.add(listener);
    return this;
  }

  /**
   * Makes and checks the plan as {@link #install()} would, and installs nothing: for a test of the
   * user's that its settings, annotations and environment fit together.
   *
   * @throws IllegalArgumentException as {@link #install()} does, but for what only that can find
   *     out: a signal that this system lacks, a port that is taken, a file that cannot be made
   */
  public ShutdownPlan plan() {
    ShutdownPlan plan = ShutdownPlan.of(sources);
    extensions.check(plan);
    return plan;
  }

  /**
   * Checks the plan, prints it, and takes the stop signals. Do it first thing in {@code main}: a
   * signal that comes earlier ends the JVM its own way.
   *
   * @throws IllegalArgumentException if a setting is no value, or the plan does not fit the grace
   *     period; the message says which, from where, and what is allowed
   * @throws IllegalStateException if a shutdown is installed in this process already
   */
  public GracefulShutdown install() {
    checkOpen();
    try {
      installed = start();
      return installed;
    } catch (IllegalArgumentException e) {
      // The process ends by this, and kubectl describe pod shows why.
      TerminationMessage.leave(jvm.terminationMessage(), "install(): " + e.getMessage());
      throw e;
    }
  }

  private GracefulShutdown start() {
    ShutdownPlan plan = plan();
    // Before the claim, which nothing would give back if this failed; it does nothing yet.
    GracefulShutdown shutdown = new GracefulShutdown(plan, registrations, jvm, ticker);
    if (!jvm.claim()) {
      throw new IllegalStateException(
          "install(): a GracefulShutdown is installed in this process already; allowed: one at a"
              + " time, uninstall() the other first");
    }
    try {
      shutdown.start(extensions, !awaitStarted);
    } catch (RuntimeException | Error e) {
      // An Error, too: at the limit of threads none can be started.
      shutdown.uninstall();
      throw e;
    }
    return shutdown;
  }

  GracefulShutdownBuilder seams(Jvm otherJvm, Ticker otherTicker) {
    jvm = otherJvm;
    ticker = otherTicker;
    return this;
  }

  GracefulShutdownBuilder environment(Map<String, String> environment, Properties properties) {
    sources = new SettingSources(environment, properties, extensions.settings());
    return this;
  }

  /** Before {@link #environment}. */
  GracefulShutdownBuilder extensions(Extension... others) {
    extensions = Extensions.of(others);
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

  private void checkOpen() {
    if (installed != null) {
      throw new IllegalStateException(
          "This builder is installed already; allowed: settings before install(), steps, servers"
              + " and listeners on the GracefulShutdown until it begins");
    }
  }
}
