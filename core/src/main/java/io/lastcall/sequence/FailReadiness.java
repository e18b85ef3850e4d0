package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;

/** FAIL_READINESS: readiness fails, and health checks get the time to see it. */
final class FailReadiness extends PhaseRun {
  private final Runnable fail;

  /** Whether routers still send here although the propagation delay is over. Decided once. */
  private boolean stillRouted;

  /**
   * @param fail makes readiness fail
   */
  FailReadiness(ShutdownContext context, Runnable fail) {
    super(Phase.FAIL_READINESS, context);
    this.fail = fail;
  }

  @Override
  Deadline deadline() {
    stillRouted = isVisible() && routersStillSend();
    return context.budget().holdEnd(stillRouted);
  }

  /** Readiness that has failed since the trigger, or never fails, changes nothing now. */
  private boolean isVisible() {
    return context.plan().readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION;
  }

  /**
   * Whether a new connection has come in the last eighth of the delay. New requests on older
   * connections are no evidence: they follow from our own {@code Connection: close}.
   */
  private boolean routersStillSend() {
    Duration delay = context.budget().keepServing();
    Duration lastEighth = delay.multipliedBy(7).dividedBy(8);
    return !delay.isZero()
        && context.gate().lastConnection().filter(at -> at.compareTo(lastEighth) >= 0).isPresent();
  }

  @Override
  Optional<String> describe(Deadline end) {
    boolean unseen = !context.budget().routed() && end.hasPassed();
    if (!isVisible() || context.budget().isHurried() || unseen) {
      return Optional.empty();
    }
    String why = stillRouted ? ", since new connections still come" : "";
    String hold =
        end.hasPassed()
            ? ""
            : "; serving on for " + end.remaining().toMillis() + " ms until checks see it" + why;
    return Optional.of("Readiness fails now (/readyz 503)" + hold);
  }

  @Override
  boolean run(Deadline end) {
    if (context.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
      fail.run();
    }
    ConcurrentTask steps = context.startSteps(phase, context.budget().holdStepsEnd(stillRouted));
    recover(end);
    return steps.await(context.budget().drainLatest());
  }

  @Override
  void recover(Deadline end) {
    end.awaitPassed(this);
    context.recorder().startLate();
  }
}
