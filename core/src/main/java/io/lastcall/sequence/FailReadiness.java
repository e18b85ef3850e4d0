package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.plan.Durations;
import io.lastcall.plan.Setting;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;

/** FAIL_READINESS: readiness fails, and health checks get the time to see it. */
final class FailReadiness extends PhaseRun {
  /**
   * How many readiness probes in a row must fail until the endpoint leaves: {@code
   * failureThreshold}, by default (Kubernetes API, Probe).
   */
  private static final int FAILURE_THRESHOLD = 3;

  /** The least silence that ends the hold: fewer than two new connections a second are no news. */
  private static final Duration LEAST_SILENCE = Duration.ofSeconds(2);

  private final Endpoint endpoint;

  /** Whether routers still send here although the propagation delay is over. Decided once. */
  private boolean stillRouted;

  /** Whether clients still come that no failed readiness sends away. Decided once. */
  private boolean unrouted;

  FailReadiness(ShutdownContext context, Endpoint endpoint) {
    super(Phase.FAIL_READINESS, context);
    this.endpoint = endpoint;
  }

  @Override
  Deadline deadline() {
    boolean stillCome = isVisible() && routersStillSend();
    unrouted = stillCome && endpoint.isPodDeleted();
    stillRouted = stillCome && !unrouted;
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
    String most = end.remaining().toMillis() + " ms until checks see it";
    String hold = stillRouted ? "up to " + most + ", since new connections still come" : most;
    String early =
        endsEarly() ? "; it ends once none has come for " + silence().toMillis() + " ms" : "";
    String notHeld = "; not held for the new connections that come: the Pod is being deleted";
    return Optional.of(
        "Readiness fails now (/readyz 503)"
            + (unrouted && end.hasPassed() ? notHeld : "")
            + (end.hasPassed() ? "" : "; serving on for " + hold + early));
  }

  private boolean endsEarly() {
    return stillRouted && context.plan().value(Setting.READINESS_HOLD).isDefault();
  }

  /** How long no new connection must come: by then probes have failed as often as they must. */
  private Duration silence() {
    return Durations.max(LEAST_SILENCE, endpoint.readinessPeriod().multipliedBy(FAILURE_THRESHOLD));
  }

  /**
   * Waits until {@code end}, or until no new connection has come for a while since readiness
   * failed.
   */
  private void hold(Deadline end) {
    Deadline start = context.budget().start();
    Duration failed = start.elapsed();
    Duration silence = endsEarly() ? silence() : end.remaining();
    Deadline quiet = end.atMost(silence);
    while (!quiet.hasPassed()) {
      quiet.awaitPassed(this);
      Duration last = context.gate().lastConnection().orElse(failed);
      quiet = start.plus(Durations.max(failed, last)).plus(silence).earlier(end);
    }
  }

  @Override
  boolean run(Deadline end) {
    if (context.plan().readinessPolicy() != ReadinessPolicy.NEVER) {
      endpoint.failReadiness();
    }
    ConcurrentTask steps = context.startSteps(phase, context.budget().holdStepsEnd(stillRouted));
    recover(end);
    return steps.await(context.budget().drainLatest());
  }

  @Override
  void recover(Deadline end) {
    hold(end);
    context.recorder().startLate();
  }
}
