package io.lastcall;

import io.lastcall.connection.SessionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.Service;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A preStop hook that waits for sessions, before the shutdown begins: the process serves on while
 * routers learn, and asks clients to connect elsewhere; is out of service from then on; and begins
 * the shutdown once no session is open. The grace period runs from the hook's call, and the
 * shutdown keeps the time that it needs.
 */
final class SessionsWait {
  /**
   * The longest time that is kept for DRAIN where no {@code drain-timeout} is set: an ordinary
   * shutdown has no more in Kubernetes' default grace period of 30 s.
   */
  private static final Duration KEPT_FOR_DRAIN = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private final ShutdownState state;
  private final GateControl gate;
  private final SessionControl sessions;
  private final Consumer<Deadline> takeOutOfService;
  private final AtomicBoolean called = new AtomicBoolean();
  private final Thread thread = Threads.daemon("prestop-sessions", this::run);

  /**
   * @param takeOutOfService takes the process out of service, as since a moment
   */
  SessionsWait(ShutdownState state, Service service, Consumer<Deadline> takeOutOfService) {
    this.state = state;
    gate = service.gate();
    sessions = service.connections().sessions();
    this.takeOutOfService = takeOutOfService;
  }

  /** The hook is called; a second call changes nothing. Returns at once. */
  void begin() {
    if (called.compareAndSet(false, true) && !Threads.start(thread)) {
      state.begin(Trigger.PRE_STOP, LogContext.NONE);
    }
  }

  /** The state may have moved: something else may have begun the shutdown. */
  void wake() {
    LockSupport.unpark(thread);
  }

  private void run() {
    ShutdownPlan plan = state.plan();
    Deadline call = Deadline.after(Duration.ZERO, state.ticker());
    Deadline killed = call.plus(plan.gracePeriod()).plus(plan.preStopDelay().negated());
    Deadline end = killed.plus(kept(plan).negated());
    ShutdownLog.info(
        log,
        "A preStop hook waits until no session is open, for up to {} ms: {}",
        call.until(end).toMillis(),
        words());
    gate.outOfService(true);
    Deadline routersKnow = call.plus(plan.keepServing()).earlier(end);
    if (!routersKnow.await(this, this::isOver)) {
      takeOutOfService.accept(call);
      if (!sessions.awaitNone(end, this, this::isOver)) {
        ShutdownLog.warn(log, "The preStop hook's time for sessions is over: {}", words());
      }
    }
    state.beginBefore(killed, call, Trigger.PRE_STOP);
  }

  private boolean isOver() {
    return !state.isIdle();
  }

  /** Returns the time of the phases after KEEP_SERVING, whose wait this one has been. */
  private static Duration kept(ShutdownPlan plan) {
    boolean endless = plan.drainsWhatRemains() && plan.drainTimeout().compareTo(KEPT_FOR_DRAIN) > 0;
    return plan.readinessHold()
        .plus(endless ? KEPT_FOR_DRAIN : plan.drainTimeout())
        .plus(plan.closeTimeout())
        .plus(plan.exitTimeout())
        .plus(plan.reserve());
  }

  private String words() {
    return sessions.open() == 0 ? "none is open" : String.join(", ", sessions.describe());
  }
}
