package io.lastcall;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.RequestGate;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.process.Jvm;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.time.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful shutdown of this process. One stop signal (or {@link #begin}) runs the phases in
 * order: keep serving while endpoints propagate, fail readiness, drain requests in flight, close
 * long-lived connections, exit before the grace period ends.
 *
 * <pre>{@code
 * GracefulShutdown shutdown = GracefulShutdown.builder()
 *     .gracePeriod(Duration.ofSeconds(30))
 *     .propagationDelay(Duration.ofSeconds(15))
 *     .install();
 * shutdown.step(Phase.CLOSE_CONNECTIONS, "pool", context -> pool.close());
 * }</pre>
 *
 * Thread-safe.
 */
public final class GracefulShutdown {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownPlan plan;
  private final Participants participants;
  private final GateControl gate;
  private final ConnectionControl connections = new ConnectionControl();
  private final ProbeSupport probing;
  private final Jvm jvm;
  private final Ticker ticker;
  private final ArrivalHistory history;
  private final Lifecycle lifecycle;
  private final Triggers triggers;
  private final Notifier notifier;
  private final Rehearsal rehearsal;
  private final Conductor conductor;

  GracefulShutdown(ShutdownPlan plan, Participants participants, Jvm jvm, Ticker ticker) {
    this.plan = plan;
    this.participants = participants;
    this.jvm = jvm;
    this.ticker = ticker;
    gate = new GateControl(ticker);
    history = new ArrivalHistory(gate::started, ticker);
    lifecycle = new Lifecycle(plan, jvm, ticker);
    notifier = new Notifier(participants::listeners);
    probing = new ProbeSupport(plan, lifecycle, gate, notifier, ticker);
    rehearsal = new Rehearsal(jvm, plan, history);
    conductor =
        new Conductor(
            plan,
            participants,
            gate,
            connections,
            lifecycle,
            jvm,
            history,
            notifier,
            probing,
            rehearsal);
    triggers = new Triggers(plan, jvm, lifecycle, gate, conductor);
  }

  /** Returns a builder with the defaults. */
  public static GracefulShutdownBuilder builder() {
    return new GracefulShutdownBuilder();
  }

  void start(Extensions extensions, boolean started) {
    if (started) {
      lifecycle.started();
    }
    // Before anything that may begin a shutdown, as a /prestop on an extension's port does.
    lifecycle.start(conductor);
    probing.start(extensions, ticker);
    if (plan.isAdaptive()) {
      Threads.daemon("history", history::sample).start();
    }
    triggers.install();
    plan.warnings().forEach(log::warn);
    participants.steps().forEach(this::warnIfCut);
    conductor.warnIfUnwritable();
    log.info("Shutdown plan\n{}", plan.table());
    if (started) {
      rehearsal.soon(ticker);
    }
  }

  /**
   * Begins the shutdown, or joins the one that has begun. Returns at once. The time is that of a
   * signal: a {@code pre-stop-delay} counts as over.
   *
   * @param reason in words, for the log and the report
   * @return completed just before the process exits, or exceptionally by {@link #uninstall()}.
   *     Every caller gets the same future: take a {@link CompletableFuture#copy()} to cancel or
   *     time out your own wait. Its dependents run on a thread of the library's and are not waited
   *     for longer than EXIT allows.
   * @throws NullPointerException if {@code reason} is null
   */
  public CompletableFuture<ShutdownReport> begin(String reason) {
    Objects.requireNonNull(reason, "reason must not be null");
    lifecycle.begin(new Trigger(Trigger.Kind.REQUEST, reason), LogContext.current());
    return lifecycle.published();
  }

  /** Says that start-up is over; needed only after {@code awaitStarted()}. Idempotent. */
  public void started() {
    lifecycle.started();
    probing.changed();
    rehearsal.soon(ticker);
  }

  /** Returns what adapters ask for every request. */
  public RequestGate gate() {
    return gate.gate();
  }

  /** Returns the registry of long-lived connections. */
  public Connections connections() {
    return connections.connections();
  }

  /** Returns readiness, liveness and start-up, with the paths that answer for them. */
  public Probes probes() {
    return probing.probes();
  }

  /**
   * Fails readiness and lets every response say close, without a shutdown, until it is called again
   * with false: for a balancer's maintenance, or a release that is kept until it is idle. Off by
   * default. Outside the phases: a shutdown that begins meanwhile runs as ever, and every response
   * goes on to say close. Listeners hear of it. HTTP/2 connections that are open stay open: there
   * is no GOAWAY that could be taken back. Any thread may call it, at any time.
   */
  public void lameDuck(boolean on) {
    probing.lameDuck(on);
  }

  /** Returns the plan this process runs with. */
  public ShutdownPlan plan() {
    return plan;
  }

  /** Returns the phase that runs now; empty before KEEP_SERVING, a moment behind the trigger. */
  public Optional<Phase> phase() {
    return conductor.phase();
  }

  /** Returns how it stands now, for display and metrics. Never blocks. */
  public ShutdownStatus status() {
    return conductor.status(probes().isReady());
  }

  /**
   * Adds a server: it stops listening and its connections end in DRAIN, its threads end in EXIT.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public void server(DrainableServer server) {
    Objects.requireNonNull(server, "server must not be null");
    checkNotBegun("server(" + server.name() + ")");
    participants.add(server);
  }

  /**
   * Adds a step. Steps of one phase and one order run concurrently, lower orders first.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public void step(Step step) {
    Objects.requireNonNull(step, "step must not be null");
    checkNotBegun("step(" + step.name() + ")");
    participants.add(step);
    warnIfCut(step);
  }

  private void warnIfCut(Step step) {
    plan.warning(step).ifPresent(log::warn);
  }

  /**
   * Adds a step of order 0 that may run until its phase ends.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public void step(Phase phase, String name, StepAction action) {
    step(Step.of(phase, name, action));
  }

  /**
   * Adds components that exist only now: every member with {@code @OnShutdown} is a step. One that
   * was added before is not added again.
   *
   * @throws IllegalArgumentException for a member that cannot be a step, and for
   *     {@code @ShutdownSettings}: the plan is made already
   * @throws IllegalStateException if the shutdown has begun
   */
  public void components(Object... components) {
    Objects.requireNonNull(components, "components must not be null");
    checkNotBegun("components(...)");
    for (Object component : components) {
      List<Step> steps = participants.has(component) ? List.of() : steps(component);
      // What has none is not kept: a container may give all that it makes.
      if (!steps.isEmpty()) {
        participants.add(component, steps).forEach(this::warnIfCut);
      }
    }
  }

  /**
   * Returns the steps that {@link #components} adds for a component, for whoever adds them one by
   * one: a container, say, whose components may be gone before the shutdown begins.
   *
   * @throws IllegalArgumentException as {@link #components} does
   */
  public static List<Step> steps(Object component) {
    List<Step> steps = Components.steps(component);
    if (component.getClass().isAnnotationPresent(ShutdownSettings.class)) {
      throw new IllegalArgumentException(
          "@ShutdownSettings on %s is too late: the plan is made at install(); allowed:"
                  .formatted(component.getClass().getName())
              + " builder().components(...)");
    }
    return steps;
  }

  /**
   * Adds a listener.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public void listener(ShutdownListener listener) {
    checkNotBegun("listener(...)");
    participants.add(listener);
  }

  /**
   * Gives signals and hook back and ends the library's threads, for tests and redeployments. Does
   * nothing once a shutdown has begun: it goes on to the exit. Idempotent.
   */
  public void uninstall() {
    if (lifecycle.uninstall()) {
      history.stop();
      rehearsal.cancel();
      triggers.uninstall();
      probing.uninstall();
      notifier.stop();
      // Last: the next one takes what was given back.
      jvm.unclaim();
    }
  }

  private void checkNotBegun(String what) {
    lifecycle
        .trigger()
        .ifPresent(
            trigger -> {
              throw new IllegalStateException(
                  what + " is too late: the shutdown has begun (" + trigger + "); allowed: before");
            });
  }
}
