package io.lastcall;

import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.ShutdownLog;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What extensions may do to the shutdown. */
record ExtensionControl(ShutdownState state, Readiness readiness, SignalHandlers signals)
    implements ShutdownControl {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  @Override
  public void stop(String reason) {
    if (state.isIdle()) {
      signals.onStopSignal(reason);
    }
  }

  @Override
  public Optional<Deadline> killed() {
    return state.killed();
  }

  @Override
  public boolean shorten(Deadline at, Duration waited, String reason) {
    ShutdownPlan before = state.plan();
    boolean shorter = state.shorten(at, waited);
    if (shorter) {
      state
          .halt()
          .ifPresent(
              halt ->
                  ShutdownLog.info(
                      log,
                      "SIGKILL comes earlier than declared, {}: phases are shorter, gone in {} ms at"
                          + " the latest: {}",
                      reason,
                      halt.remaining().toMillis(),
                      state.plan().changes(before)));
    }
    return shorter;
  }

  @Override
  public void podStays() {
    if (state.trigger().isPresent()
        && state.plan().readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION) {
      readiness.failReadiness();
    }
  }

  @Override
  public void podIsDeleted() {
    readiness.podDeleted();
  }
}
