package io.lastcall;

import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ProbeSubject;
import io.lastcall.probe.Probes;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.Notifier;
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
 * The shutdown as its probes see it, and the extensions that answer for them: those stay until just
 * before the exit.
 */
final class ProbeSupport implements ProbeSubject {
  /**
   * How long uninstalling waits for extensions to end. It takes milliseconds, unless a file system
   * blocks, or what depends on an answer, though it must not.
   */
  private static final Duration UNINSTALL_LIMIT = Duration.ofSeconds(1);

  private static final String LAME_DUCK_BEGINS =
      "Lame duck begins: readiness fails, and every response says close";
  private static final String LAME_DUCK_ENDS = "Lame duck ends";

  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownPlan plan;
  private final ShutdownState state;
  private final GateControl gate;
  private final Notifier notifier;
  private final Probes probes;
  private final CompletableFuture<Void> propagated = new CompletableFuture<>();

  private final AtomicBoolean answering = new AtomicBoolean();
  private final Thread answerer = Threads.daemon("prestop", () -> propagated.complete(null));

  private final Object lameDuckLock = new Object();
  private volatile boolean readinessFailed;
  private volatile boolean lameDuck;
  private volatile Extensions extensions = Extensions.of();

  ProbeSupport(ShutdownState state, GateControl gate, Notifier notifier, Ticker ticker) {
    this.state = state;
    plan = state.plan();
    this.gate = gate;
    this.notifier = notifier;
    probes = new Probes(this, plan.preStopToken(), ticker);
  }

  Probes probes() {
    return probes;
  }

  /**
   * @throws IllegalArgumentException if a setting of an extension cannot be had
   */
  void start(Extensions found, Ticker ticker) {
    extensions = found;
    found.start(plan, probes, ticker);
  }

  /**
   * Answers {@code /prestop} and ends the extensions.
   *
   * @param deadline when nothing of it is waited for any longer
   */
  void end(Deadline deadline) {
    propagated();
    // Usually over since KEEP_SERVING; where nothing was left to drain, the exit may be faster. One
    // that blocks leaves half of the time to what follows.
    Threads.join(answerer, deadline.atMost(deadline.remaining().dividedBy(2)));
    extensions.close(deadline);
  }

  void uninstall() {
    end(Deadline.after(UNINSTALL_LIMIT, Ticker.system()));
    probes.endConditions();
  }

  @Override
  public boolean isStarted() {
    return state.isStarted();
  }

  @Override
  public boolean isEnding() {
    return state.trigger().isPresent();
  }

  @Override
  public Optional<String> unready() {
    boolean immediate = plan.readinessPolicy() == ReadinessPolicy.IMMEDIATE;
    if (readinessFailed || (immediate && isEnding())) {
      return Optional.of("shutting down");
    }
    return lameDuck ? Optional.of("lame duck") : Optional.empty();
  }

  @Override
  public CompletionStage<?> preStop() {
    state.begin(Trigger.PRE_STOP, LogContext.NONE);
    changed();
    return propagated;
  }

  @Override
  public void lameDuck(boolean on) {
    // One at a time: what listeners hear last is what holds.
    synchronized (lameDuckLock) {
      if (lameDuck != on) {
        ShutdownLog.info(log, on ? LAME_DUCK_BEGINS : LAME_DUCK_ENDS);
      }
      lameDuck = on;
      gate.lameDuck(on);
      notifier.notifyListeners(listener -> listener.lameDuck(on));
    }
    notifier.start();
    changed();
  }

  @Override
  public void probed() {
    gate.gate().probed();
  }

  @Override
  public void conditionsChanged() {
    changed();
  }

  /** Readiness may have changed. */
  void changed() {
    extensions.readinessChanged();
  }

  /** The answers are written by others: not on the sequence's thread, as long as there is one. */
  void propagated() {
    if (!answering.compareAndSet(false, true)) {
      return;
    }
    if (!Threads.start(answerer)) {
      propagated.complete(null);
    }
  }

  void failReadiness() {
    readinessFailed = true;
    changed();
  }
}
