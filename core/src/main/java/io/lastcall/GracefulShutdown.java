package io.lastcall;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.component.Components;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.RequestGate;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.process.Halter;
import io.lastcall.process.Jvm;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.sequence.Notifier;
import io.lastcall.sequence.PropagationWait;
import io.lastcall.sequence.Registrations;
import io.lastcall.sequence.Service;
import io.lastcall.time.Ticker;
import io.lastcall.work.Job;
import io.lastcall.work.LateTasks;
import io.lastcall.work.Work;
import io.lastcall.work.WorkControl;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
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

  private final ShutdownState state;
  private final Service service;
  private final Notifier notifier;
  private final ProbeSupport probing;
  private final Jvm jvm;
  private final SignalHandlers signals;
  private final ShutdownThread thread;
  private final WiringCheck wiring;

  GracefulShutdown(ShutdownPlan plan, Registrations registrations, Jvm jvm, Ticker ticker) {
    this.jvm = jvm;
    Halter halter = new Halter(jvm, ticker, ShutdownPlan.HALTED_EXIT_CODE);
    state = new ShutdownState(plan, ticker, halter);
    GateControl gate = new GateControl(ticker);
    ArrivalHistory history = new ArrivalHistory(gate::started, ticker);
    WorkControl work = new WorkControl(ticker);
    service = new Service(gate, new ConnectionControl(), registrations, history, work);
    notifier = new Notifier(registrations);
    probing = new ProbeSupport(state, gate, notifier, ticker);
    thread = new ShutdownThread(state, service, probing, notifier, jvm);
    signals = new SignalHandlers(state, gate, jvm);
    wiring = new WiringCheck(state, service);
  }

  /** Returns a builder with the defaults. */
  public static GracefulShutdownBuilder builder() {
    return new GracefulShutdownBuilder();
  }

  /**
   * Returns one that never shuts down, for tests and tools: steps, servers and listeners are
   * accepted and never called, probes pass, no signal is taken, and {@link #begin} completes
   * exceptionally. Settings are the defaults.
   */
  public static GracefulShutdown disabled() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(Map.of(), new Properties()));
    GracefulShutdown disabled =
        new GracefulShutdown(plan, new Registrations(), Jvm.current(), Ticker.system());
    disabled.state.started();
    disabled.state.uninstall("it is disabled");
    return disabled;
  }

  void start(Extensions extensions, boolean started) {
    if (started) {
      state.started();
    }
    // Before anything that may begin a shutdown, as a /prestop on an extension's port does.
    thread.start();
    probing.start(extensions, state.ticker());
    if (plan().isAdaptive()) {
      Threads.daemon("history", service.history()::sample).start();
      new PropagationWait(plan(), service.gate(), service.history()).tellNeeds();
    }
    signals.install();
    plan().warnings().forEach(log::warn);
    service.registrations().steps().forEach(this::warnIfCut);
    log.info("Shutdown plan\n{}", plan().table());
    wiring.start();
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
    state.begin(new Trigger(Trigger.Kind.REQUEST, reason), LogContext.current());
    return state.completion();
  }

  /**
   * Returns a future of the report, without beginning a shutdown; the same future that {@link
   * #begin} returns.
   */
  public CompletableFuture<ShutdownReport> completion() {
    return state.completion();
  }

  /** Returns whether a shutdown has begun: from the trigger on, and for good. */
  public boolean isShuttingDown() {
    return state.trigger().isPresent();
  }

  /** Returns what began the shutdown; empty before that. */
  public Optional<Trigger> trigger() {
    return state.trigger();
  }

  /** Says that start-up is over; needed only after {@code awaitStarted()}. Idempotent. */
  public void started() {
    state.started();
    probing.changed();
  }

  /** Returns what adapters ask for every request. */
  public RequestGate gate() {
    return service.gate().gate();
  }

  /** Returns the registry of long-lived connections. */
  public Connections connections() {
    return service.connections().connections();
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
    return state.plan();
  }

  /**
   * Returns the phase that runs now; empty before KEEP_SERVING, which begins a moment after the
   * trigger: to know whether a shutdown has begun, ask {@link #isShuttingDown()}.
   */
  public Optional<Phase> phase() {
    return thread.phase();
  }

  /** Returns how it stands now, for display and metrics. Never blocks. */
  public ShutdownStatus status() {
    return thread.status(probes().isReady());
  }

  /**
   * Adds a server: it stops listening and its connections end in DRAIN, its threads end in EXIT.
   *
   * @return takes it back
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable server(DrainableServer server) {
    Objects.requireNonNull(server, "server must not be null");
    checkNotBegun("server(" + server.name() + ")");
    return unlessBegun(service.registrations().add(server));
  }

  /**
   * Adds a step. Steps of one phase and one order run concurrently, lower orders first. During a
   * shutdown, a step may be added to a later phase than the phase that runs.
   *
   * @return takes it back, until its phase begins
   * @throws IllegalStateException if the step's phase has begun
   */
  public Removable step(Step step) {
    Objects.requireNonNull(step, "step must not be null");
    Runnable removal = service.registrations().add(step);
    warnIfCut(step);
    return removal::run;
  }

  private void warnIfCut(Step step) {
    plan().warning(step).ifPresent(warning -> ShutdownLog.warn(log, "{}", warning));
  }

  /**
   * Adds a step of order 0 that may run until its phase ends.
   *
   * @return takes it back, until its phase begins
   * @throws IllegalStateException if the step's phase has begun
   */
  public Removable step(Phase phase, String name, StepAction action) {
    return step(Step.of(phase, name, action));
  }

  /** Returns the work of a name, which is counted as requests are: DRAIN waits for it. */
  public Work work(String name) {
    return service.work().work(name);
  }

  /** Calls {@code listener} for each work there is, and for each new one: for metrics. */
  public void onWork(Consumer<Work> listener) {
    service.work().onWork(listener);
  }

  /**
   * Adds a source of work: it stops taking at the trigger, and DRAIN waits until it is finished.
   *
   * @return takes it back
   * @throws IllegalArgumentException if there is a source of that name
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable workSource(String name, WorkSource source) {
    checkNotBegun("workSource(" + name + ")");
    return unlessBegun(service.work().source(name, source));
  }

  /**
   * Returns an executor whose queued and running tasks are work of that name; tasks are taken until
   * DRAIN ends, since requests in flight may need them. When DRAIN has timed out, running tasks are
   * interrupted and waiting ones dropped; the report names them.
   *
   * @throws IllegalArgumentException if there is an executor of that name
   */
  public ExecutorService executor(String name, ExecutorService delegate) {
    return executor(name, delegate, LateTasks.RUN);
  }

  /**
   * As {@link #executor(String, ExecutorService)}.
   *
   * @param late whether tasks are taken after the trigger
   */
  public ExecutorService executor(String name, ExecutorService delegate, LateTasks late) {
    return service.work().executor(name, delegate, late);
  }

  /**
   * As {@link #executor(String, ExecutorService)}, for a scheduler. Delayed tasks that are due
   * before DRAIN must end are waited for; periodic ones do not run again after the trigger.
   */
  public ScheduledExecutorService scheduler(String name, ScheduledExecutorService delegate) {
    return service.work().scheduler(name, delegate);
  }

  /**
   * Begins a job on the calling thread, to be closed at its end.
   *
   * @throws java.util.concurrent.RejectedExecutionException if DRAIN has ended
   */
  public Job job(String name) {
    return service.work().job(name);
  }

  /**
   * Returns whether nothing is in progress: no request, no long-lived connection, no work. For
   * releases that are kept until they are idle.
   */
  public boolean isIdle() {
    return service.isIdle();
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
    Registrations registrations = service.registrations();
    for (Object component : components) {
      List<Step> steps = registrations.has(component) ? List.of() : steps(component);
      // A component without steps is not kept: a container may give all that it makes.
      if (!steps.isEmpty() && registrations.addComponent(component)) {
        steps.forEach(this::step);
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
   * @return takes it back
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable listener(ShutdownListener listener) {
    checkNotBegun("listener(...)");
    return unlessBegun(service.registrations().add(listener));
  }

  private Removable unlessBegun(Runnable removal) {
    return () -> {
      if (!isShuttingDown()) {
        removal.run();
      }
    };
  }

  /**
   * Gives signals and hook back and ends the library's threads, for tests and redeployments. Does
   * nothing once a shutdown has begun: it goes on to the exit. Idempotent.
   */
  public void uninstall() {
    if (state.uninstall("it is uninstalled")) {
      service.history().stop();
      wiring.stop();
      signals.uninstall();
      probing.uninstall();
      notifier.stop();
      ShutdownLog.stop();
      jvm.unclaim(); // last: the next installation takes what was given back
    }
  }

  private void checkNotBegun(String what) {
    trigger()
        .ifPresent(
            trigger -> {
              throw new IllegalStateException(
                  what + " is too late: the shutdown has begun (" + trigger + "); allowed: before");
            });
  }
}
