package io.lastcall;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ProbeSubject;
import io.lastcall.probe.Probes;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.Endpoint;
import io.lastcall.sequence.Notifier;
import io.lastcall.sequence.Service;
import io.lastcall.spi.Extension;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether traffic is wanted: the process has started, no shutdown has failed readiness by its
 * policy, the process is not out of service, and the application's conditions pass, which {@link
 * Probes} asks. The probes and the extensions answer by it until just before the exit. Thread-safe.
 */
final class Readiness implements ProbeSubject, Endpoint {
  /** How long {@code uninstall()} waits for extensions; they take milliseconds. */
  private static final Duration UNINSTALL_LIMIT = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownState state;
  private final Service service;
  private final Notifier notifier;
  private final Probes probes;

  private final Milestone propagated = new Milestone();
  private final Milestone drained = new Milestone();
  private final SessionsWait sessionsWait;

  private final Object outOfServiceLock = new Object();
  private volatile boolean started;
  private volatile boolean failed;
  private volatile Optional<Deadline> outOfServiceSince = Optional.empty();
  private volatile boolean podDeleted;
  private volatile Extensions extensions = Extensions.of();

  Readiness(ShutdownState state, Service service) {
    this.state = state;
    this.service = service;
    notifier = service.registrations().notifier();
    probes = new Probes(this, state.plan().preStopToken(), state.ticker());
    sessionsWait =
        new SessionsWait(state, service, since -> takeOutOfService(true, Optional.of(since)));
  }

  Probes probes() {
    return probes;
  }

  /**
   * @throws IllegalArgumentException if a setting of an extension cannot be used here
   */
  void start(Extensions found, ShutdownControl control) {
    extensions = found;
    found.start(state.plan(), probes, state.ticker());
    found.each(extension -> extension.installed(control));
  }

  <T extends Extension.Running> Optional<T> extension(Class<T> type) {
    return extensions.running(type);
  }

  /** The process ends. */
  void ending(ShutdownControl control) {
    sessionsWait.wake();
    extensions.each(extension -> extension.ending(control));
  }

  /** Returns the extensions that have started. */
  Extensions extensions() {
    return extensions;
  }

  /**
   * Answers {@code /prestop} and ends the extensions.
   *
   * @param deadline when it returns, whatever still runs
   */
  void end(Deadline deadline) {
    propagated.reach();
    drained.reach();
    // A client's code that blocks in its answer leaves half of the time to the extensions.
    Deadline half = deadline.atMost(deadline.remaining().dividedBy(2));
    Threads.join(propagated.answerer, half);
    Threads.join(drained.answerer, half);
    extensions.each(extension -> extension.close(deadline));
  }

  void uninstall() {
    sessionsWait.wake();
    end(Deadline.after(UNINSTALL_LIMIT, Ticker.system()));
    probes.endConditions();
  }

  /** Start-up is over. */
  void started() {
    started = true;
    changed();
  }

  /** Readiness fails for good: FAIL_READINESS. */
  @Override
  public void failReadiness() {
    failed = true;
    changed();
  }

  @Override
  public Duration readinessPeriod() {
    return probes.readinessPeriod();
  }

  void podDeleted() {
    podDeleted = true;
  }

  @Override
  public boolean isPodDeleted() {
    return podDeleted;
  }

  /** Readiness may have changed. */
  @Override
  public void changed() {
    extensions.each(Extension.Running::readinessChanged);
  }

  @Override
  public boolean isStarted() {
    return started;
  }

  @Override
  public boolean isEnding() {
    return state.trigger().isPresent();
  }

  @Override
  public Optional<String> unready() {
    boolean immediate = state.plan().readinessPolicy() == ReadinessPolicy.IMMEDIATE;
    if (failed || (immediate && isEnding())) {
      return Optional.of("shutting down");
    }
    return outOfServiceSince.map(since -> "out of service");
  }

  @Override
  public void takeOutOfService(boolean on) {
    takeOutOfService(on, Optional.empty());
  }

  /**
   * @param asSince since when routers know, if that is not now
   */
  private void takeOutOfService(boolean on, Optional<Deadline> asSince) {
    // One call at a time: the last event that listeners get is the state that holds.
    synchronized (outOfServiceLock) {
      if (outOfServiceSince.isPresent() != on) {
        outOfServiceSince =
            on
                ? asSince.or(() -> Optional.of(Deadline.after(Duration.ZERO, state.ticker())))
                : Optional.empty();
        ShutdownLog.info(
            log,
            on
                ? "Out of service: readiness fails, and every response says close"
                : "Back in service");
      }
      service.gate().outOfService(on);
      notifier.notifyListeners(listener -> listener.outOfService(on));
    }
    notifier.start();
    changed();
  }

  /** Routers have learnt that the process is out of service: only sessions that exist go on. */
  boolean refusesSessions() {
    return outOfServiceSince
        .filter(since -> since.plus(state.plan().propagationDelay()).hasPassed())
        .isPresent();
  }

  @Override
  public CompletionStage<?> preStop(Wait wait) {
    if (wait == Wait.SESSIONS) {
      sessionsWait.begin();
    } else {
      state.begin(Trigger.PRE_STOP, LogContext.NONE);
      changed();
    }
    return (wait == Wait.DRAINED ? drained : propagated).reached;
  }

  @Override
  public String busy() {
    return service.busy();
  }

  /** Answers {@code /prestop} where that is awaited. */
  @Override
  public void phaseEnded(Phase phase) {
    if (phase == Phase.KEEP_SERVING) {
      propagated.reach();
    } else if (phase == Phase.DRAIN) {
      drained.reach();
    }
  }

  @Override
  public void probed() {
    service.gate().gate().probed();
  }

  /** A moment that {@code /prestop} waits for. */
  private static final class Milestone {
    final CompletableFuture<Void> reached = new CompletableFuture<>();
    final Thread answerer = Threads.daemon("prestop", () -> reached.complete(null));
    private final AtomicBoolean answering = new AtomicBoolean();

    /** Answers, not on the sequence's thread unless no other thread can start. */
    void reach() {
      if (answering.compareAndSet(false, true) && !Threads.start(answerer)) {
        reached.complete(null);
      }
    }
  }
}
