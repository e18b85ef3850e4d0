package io.lastcall;

import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.component.Components;
import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.Sessions;
import io.lastcall.inflight.RequestGate;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepAction;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ReportLog;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.pool.ConnectionPool;
import io.lastcall.pool.Pools;
import io.lastcall.probe.Probes;
import io.lastcall.process.Halter;
import io.lastcall.process.Jvm;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import io.lastcall.sequence.GuardedServer;
import io.lastcall.sequence.Registrations;
import io.lastcall.sequence.Service;
import io.lastcall.spi.Extension;
import io.lastcall.time.Ticker;
import io.lastcall.work.Job;
import io.lastcall.work.LateTasks;
import io.lastcall.work.Work;
import io.lastcall.work.WorkSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful shutdown of this process. One stop signal (or {@link #begin}) runs the phases in
 * order: keep serving while endpoints propagate, fail readiness, drain requests in flight, close
 * long-lived connections, exit before the grace period ends. Thread-safe.
 *
 * <pre>{@code
 * GracefulShutdown shutdown = GracefulShutdown.builder()
 *     .propagationDelay(Duration.ofSeconds(15))
 *     .install();
 * shutdown.step(Phase.CLOSE_CONNECTIONS, "pool", context -> pool.close());
 * }</pre>
 */
public final class GracefulShutdown {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownState state;
  private final Service service;
  private final Readiness readiness;
  private final Jvm jvm;
  private final SignalHandlers signals;
  private final ShutdownThread thread;
  private final WiringCheck wiring;

  GracefulShutdown(ShutdownPlan plan, Registrations registrations, Jvm jvm, Ticker ticker) {
    this.jvm = jvm;
    state = new ShutdownState(plan, ticker, new Halter(jvm, ticker, ShutdownPlan.HALTED_EXIT_CODE));
    service = Service.of(registrations, ticker);
    readiness = new Readiness(state, service);
    service.connections().sessions().refuseWhen(readiness::refusesSessions);
    thread = new ShutdownThread(state, service, readiness, jvm);
    signals = new SignalHandlers(state, readiness, service, jvm);
    wiring = new WiringCheck(state, readiness, service);
    registrations
        .sources()
        .forEach(each -> service.work().sourceOfComponent(each.getKey(), each.getValue()));
  }

  /** Returns a builder with the defaults. */
  public static GracefulShutdownBuilder builder() {
    return new GracefulShutdownBuilder();
  }

  /**
   * Returns an instance that never shuts down, for tests and tools: steps, servers and listeners
   * are accepted and never called, probes pass, signals are not handled, and {@link #begin}
   * completes exceptionally. Settings are the defaults.
   */
  public static GracefulShutdown disabled() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(Map.of(), new Properties()));
    GracefulShutdown disabled =
        new GracefulShutdown(plan, new Registrations(), Jvm.current(), Ticker.system());
    disabled.readiness.started();
    disabled.state.uninstall("it is disabled");
    return disabled;
  }

  void start(Extensions extensions, boolean started) {
    if (started) {
      readiness.started();
    }
    // Before anything that may begin a shutdown, as a /prestop on an extension's port does.
    ExtensionControl control = new ExtensionControl(state, readiness, signals);
    thread.start(() -> readiness.ending(control));
    readiness.start(extensions, control);
    service.observeArrivals(plan());
    signals.install();
    plan().warnings().forEach(log::warn);
    service.registrations().steps().forEach(this::warnIfCut);
    logPlan();
    wiring.start();
  }

  private void logPlan() {
    boolean server = service.isRouted();
    log.info(
        "Shutdown plan{}",
        plan().reportLog() == ReportLog.ONE_LINE
            ? ": " + plan().line(server)
            : "\n" + plan().table(server));
    plan()
        .stay(server)
        .ifPresent(
            stay ->
                log.info(
                    "In a rollout this Pod runs for {} beside its successor: plan for the memory"
                        + " and the connections of both",
                    stay));
  }

  /**
   * Begins the shutdown, or joins the one that has begun. Returns at once. A {@code pre-stop-delay}
   * counts as elapsed, as after a signal.
   *
   * @param reason in words, for the log and the report
   * @return completed once the report is logged, just before the process exits, or exceptionally by
   *     {@link #uninstall()}. Every caller gets a future of its own: to cancel it, or to time it
   *     out, ends no other wait. Its dependents run on a thread of the library and are not waited
   *     for longer than EXIT allows.
   */
  public CompletableFuture<ShutdownReport> begin(String reason) {
    Objects.requireNonNull(reason, "reason must not be null");
    state.begin(new Trigger(Trigger.Kind.REQUEST, reason), LogContext.current());
    return state.completion();
  }

  /** Returns a future as {@link #begin} does, without beginning a shutdown. */
  public CompletableFuture<ShutdownReport> completion() {
    return state.completion();
  }

  /** Returns whether a shutdown has begun; once true, it stays true. */
  public boolean isShuttingDown() {
    return state.trigger().isPresent();
  }

  /** Returns what began the shutdown; empty before that. */
  public Optional<Trigger> trigger() {
    return state.trigger();
  }

  /** Ends start-up; needed only after {@code awaitStarted()}. Idempotent. */
  public void started() {
    readiness.started();
    wiring.started();
  }

  /** Returns the gate that adapters ask for every request. */
  public RequestGate gate() {
    return service.gate().gate();
  }

  /** Returns the registry of long-lived connections. */
  public Connections connections() {
    return service.connections().connections();
  }

  /** Returns readiness, liveness and start-up, with the paths that answer for them. */
  public Probes probes() {
    return readiness.probes();
  }

  /**
   * Returns a running extension by its type, for an artifact that lets applications register with
   * it; empty if it is not on the class path.
   */
  public <T extends Extension.Running> Optional<T> extension(Class<T> type) {
    return readiness.extension(type);
  }

  /**
   * Fails readiness and lets every response say close, without a shutdown, until it is called again
   * with false: for maintenance of a balancer, or a release that waits until it is idle. A shutdown
   * that begins meanwhile runs as usual, and every response goes on to say close. Listeners are
   * notified. Open HTTP/2 connections stay open, since a GOAWAY cannot be taken back.
   */
  public void takeOutOfService(boolean on) {
    readiness.takeOutOfService(on);
  }

  /** Returns the plan this process runs with. */
  public ShutdownPlan plan() {
    return state.plan();
  }

  /** Returns the phase that runs now; empty until a moment after the trigger. */
  public Optional<Phase> phase() {
    return thread.phase();
  }

  /** Returns the current state, for display and metrics. Never blocks. */
  public ShutdownStatus status() {
    return thread.status(probes().isReady());
  }

  /**
   * Adds a server: it stops listening and its connections end in DRAIN, its threads end in EXIT.
   * The result takes it back.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable server(DrainableServer server) {
    Objects.requireNonNull(server, "server must not be null");
    checkNotBegun("server(" + server.name() + ")");
    return unlessBegun(service.registrations().add(server));
  }

  /** Returns the servers that take part now; a moment's view. For a container. */
  public List<DrainableServer> servers() {
    return service.registrations().servers().stream().map(GuardedServer::server).toList();
  }

  /**
   * Says that routers send requests to this process, although no server is added: the propagation
   * delay holds, and a clean exit after a signal is 0, as with a server. For a framework that knows
   * of a server which takes no part in the shutdown. Idempotent.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public void assumeRouted() {
    checkNotBegun("assumeRouted()");
    service.registrations().assumeRouted();
  }

  /**
   * Adds a step. Steps of one phase and one order run concurrently, lower orders first. During a
   * shutdown, a step may be added to a later phase than the phase that runs. The result takes it
   * back, until its phase begins.
   *
   * @throws IllegalStateException if the step's phase has begun
   */
  public Removable step(Step step) {
    Removable removal = service.registrations().add(step)::run;
    warnIfCut(step);
    return removal;
  }

  private void warnIfCut(Step step) {
    plan().warning(step).ifPresent(warning -> ShutdownLog.warn(log, "{}", warning));
  }

  /** As {@link #step(Step)}, for a step of order 0 that may run until its phase ends. */
  public Removable step(Phase phase, String name, StepAction action) {
    return step(Step.of(phase, name, action));
  }

  /**
   * Adds a pool of connections, to a database say. From the trigger on it closes the connections
   * that its last three seconds did not need, one at the least excepted: the successor of this
   * process has a pool of its own by then. Its maximum stays as it is. A step of CLOSE_CONNECTIONS
   * closes the pool itself.
   *
   * @param name for the log
   * @return takes it back
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable pool(String name, ConnectionPool pool) {
    checkNotBegun("pool(" + name + ")");
    Removable removal = unlessBegun(service.pools().add(name, pool));
    plan().stay(service.isRouted()).ifPresent(stay -> Pools.logRollout(name, pool, stay));
    return removal;
  }

  /**
   * Looks up the work of a name, which is counted as requests are: DRAIN waits for it. One and the
   * same for each call.
   */
  public Work work(String name) {
    return service.work().work(name);
  }

  /**
   * Returns the sessions of a name, which hold a release and no grace period.
   *
   * @throws IllegalArgumentException if the name is blank or holds control characters
   */
  public Sessions sessions(String name) {
    return service.connections().sessions().get(name);
  }

  /** Calls {@code listener} for the sessions of each name, and for each new one: for metrics. */
  public void onSessions(Consumer<Sessions> listener) {
    service.connections().sessions().onSessions(listener);
  }

  /** Calls {@code listener} for each work there is, and for each new one: for metrics. */
  public void onWork(Consumer<Work> listener) {
    service.work().onWork(listener);
  }

  /**
   * Returns the units of all work that are open now, tasks of counted executors among them; a
   * moment's view. For a container, which may know that a task is no piece of work.
   */
  public List<Work.Unit> openWork() {
    return service.work().open();
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
   * Decorates an executor: the queued and running tasks of the result are work of that name. Tasks
   * are taken until DRAIN has ended, with its steps and the last requests, and until long-lived
   * connections are closed, since all of these may need them; a task that comes later is refused,
   * and makes the shutdown incomplete. When DRAIN has timed out, running tasks are interrupted and
   * waiting ones dropped; the report names them. A {@code ThreadPoolExecutor} that drops tasks when
   * it is full is a WARN: what it drops is not waited for, and counts as refused.
   *
   * @throws IllegalArgumentException if there is an executor of that name
   */
  public ExecutorService countedExecutor(String name, ExecutorService delegate) {
    return countedExecutor(name, delegate, LateTasks.RUN);
  }

  /**
   * As {@link #countedExecutor(String, ExecutorService)}.
   *
   * @param late whether tasks are taken after the trigger
   */
  public ExecutorService countedExecutor(String name, ExecutorService delegate, LateTasks late) {
    return service.work().executor(name, delegate, late);
  }

  /**
   * As {@link #countedExecutor(String, ExecutorService)}, for a scheduler. Delayed tasks that are
   * due before DRAIN must end are waited for, and refused if they are due after it; periodic ones
   * do not run again after the trigger.
   */
  public ScheduledExecutorService countedScheduler(String name, ScheduledExecutorService delegate) {
    return service.work().scheduler(name, delegate);
  }

  /**
   * Begins a job on the calling thread, to be closed at its end.
   *
   * @throws io.lastcall.work.WorkRefusedException if DRAIN has ended
   */
  public Job beginJob(String name) {
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
   * Adds components that exist only now: every member with {@code @OnShutdown} is a step, and a
   * {@link WorkSource} is added as one: the component itself, named by its class and a number where
   * that is taken, and a field with {@code @OnShutdown}. A component that was added before is not
   * added again; one without any of these is a WARN.
   *
   * @return takes all of them back, those aside whose phase has begun, or which have stopped
   * @throws IllegalArgumentException for a member that cannot be a step, for a collection in place
   *     of its elements, and for {@code @ShutdownSettings}: the plan is made already
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable components(Object... components) {
    Objects.requireNonNull(components, "components must not be null");
    checkNotBegun("components(...)");
    List<Removable> added = new ArrayList<>();
    Set<Object> known = service.registrations().components();
    for (Object component : components) {
      if (!known.contains(component)) {
        List<Step> steps = steps(component);
        Map<String, WorkSource> sources = workSources(component);
        if (steps.isEmpty() && sources.isEmpty()) {
          Components.reportNoSteps(component);
        }
        known.add(component);
        added.add(unlessBegun(() -> known.remove(component)));
        sources.forEach(
            (name, source) ->
                added.add(unlessBegun(service.work().sourceOfComponent(name, source))));
        steps.forEach(step -> added.add(step(step)));
      }
    }
    return () -> added.forEach(Removable::remove);
  }

  /**
   * Returns the steps that {@link #components} adds for a component; empty if it has none. For a
   * container, which has components of all kinds and may add and remove steps one by one.
   *
   * @throws IllegalArgumentException as {@link #components} does
   */
  public static List<Step> steps(Object component) {
    return steps(component, UnaryOperator.identity());
  }

  /**
   * Returns the sources of work that {@link #components} adds for a component, by their names;
   * empty if it has none. For a container, as {@link #steps(Object)} is.
   *
   * @throws IllegalArgumentException as {@link #components} does
   */
  public static Map<String, WorkSource> workSources(Object component) {
    return Components.sources(component);
  }

  /**
   * As {@link #steps(Object)}.
   *
   * @param placeholders resolves those in a {@code timeout}, as {@code ${flush-timeout:5s}}; an
   *     IllegalArgumentException of its own refuses the member
   */
  public static List<Step> steps(Object component, UnaryOperator<String> placeholders) {
    List<Step> steps = Components.steps(component, placeholders);
    if (component.getClass().isAnnotationPresent(ShutdownSettings.class)) {
      throw new IllegalArgumentException(
          "@ShutdownSettings on %s is too late: the plan is made at install(); allowed:"
                  .formatted(component.getClass().getName())
              + " builder().components(...)");
    }
    return steps;
  }

  /**
   * Adds a listener; the result takes it back.
   *
   * @throws IllegalStateException if the shutdown has begun
   */
  public Removable listener(ShutdownListener listener) {
    checkNotBegun("listener(...)");
    return unlessBegun(service.registrations().notifier().add(listener));
  }

  private Removable unlessBegun(Runnable removal) {
    return () -> {
      if (!isShuttingDown()) {
        removal.run();
      }
    };
  }

  private void checkNotBegun(String what) {
    if (isShuttingDown()) {
      throw new IllegalStateException(
          "%s is too late: the shutdown has begun (%s); allowed: before"
              .formatted(what, trigger().orElseThrow()));
    }
  }

  /**
   * Gives signals and JVM hook back and ends the library's threads, for tests and redeployments.
   * Does nothing once a shutdown has begun. Idempotent.
   */
  public void uninstall() {
    if (state.uninstall("it is uninstalled")) {
      service.history().stop();
      wiring.stop();
      signals.uninstall();
      readiness.uninstall();
      service.registrations().notifier().thread().stop();
      ShutdownLog.stop();
      jvm.unclaim(); // last: the next installation may take what was given back
    }
  }
}
