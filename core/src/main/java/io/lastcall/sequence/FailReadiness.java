package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.time.Deadline;
import java.util.Optional;

/** FAIL_READINESS: readiness fails, and health checks get the time to see it. */
final class FailReadiness implements PhaseRun {
  private final ShutdownContext context;
  private final Runnable fail;

  /** Decided once: whether routers still send here although the propagation delay is over. */
  private boolean stillRouted;

  /**
   * @param fail makes readiness fail
   */
  FailReadiness(ShutdownContext context, Runnable fail) {
    this.context = context;
    this.fail = fail;
  }

  @Override
  public Phase phase() {
    return Phase.FAIL_READINESS;
  }

  @Override
  public Deadline deadline() {
    stillRouted = isVisible() && context.routersStillSend();
    return context.budget().holdEnd(stillRouted);
  }

  /** Readiness that has failed since the trigger, or never fails, changes nothing now. */
  private boolean isVisible() {
    return context.plan().readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION;
  }

  @Override
  public Optional<String> describe(Deadline end) {
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
  public boolean run(Deadline end) {
    if (context.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
      fail.run();
    }
    ConcurrentTask steps =
        context.startSteps(Phase.FAIL_READINESS, context.budget().holdStepsEnd(stillRouted));
    end.awaitPassed(this);
    context.recorder().startLate();
    return steps.await(context.budget().drainLatest());
  }

  @Override
  public void recover(Deadline end) {
    end.awaitPassed(this);
    context.recorder().startLate();
  }
}
