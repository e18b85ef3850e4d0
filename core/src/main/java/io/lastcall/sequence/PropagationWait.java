package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.propagation.SilenceCriterion;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;

/**
 * The wait of KEEP_SERVING: fixed, or, where the plan has a minimum below the delay, until silence
 * is evidence.
 */
final class PropagationWait {
  /** Even where no minimum is left, clients are not all told to reconnect in one instant. */
  private static final Duration SHORTEST_RAMP = Duration.ofSeconds(1);

  private final ShutdownPlan plan;
  private final GateControl gate;
  private final ArrivalHistory history;

  PropagationWait(ShutdownPlan plan, GateControl gate, ArrivalHistory history) {
    this.plan = plan;
    this.gate = gate;
    this.history = history;
  }

  /** Returns the time from the trigger until every response says close. */
  Duration closeRamp(Duration window) {
    Duration half = window.dividedBy(2);
    if (!plan.isAdaptive()) {
      return half;
    }
    return Durations.min(Durations.max(plan.keepServingAtLeast(), SHORTEST_RAMP), half);
  }

  /**
   * Waits until {@code end}, or until silence says that it is over. Woken when the silence would be
   * long enough, then again if somebody came meanwhile.
   *
   * @param start the trigger
   * @param window the whole wait, of which {@code end} may be a part
   * @return the silence that was evidence, if it ended early
   */
  Optional<Duration> await(Deadline start, Duration window, Deadline end) {
    Optional<Duration> silence = plan.isAdaptive() ? evidence(window) : Optional.empty();
    if (silence.isEmpty()) {
      end.awaitPassed(this);
      return Optional.empty();
    }
    while (!end.hasPassed()) {
      // In this order: who comes between the two must not be overlooked.
      Duration now = start.elapsed();
      Duration earliest =
          Durations.max(plan.keepServingAtLeast(), quietSince(window).plus(silence.get()));
      if (now.compareTo(earliest) >= 0) {
        return silence;
      }
      start.plus(earliest).earlier(end).awaitPassed(this);
    }
    return Optional.empty();
  }

  private Optional<Duration> evidence(Duration window) {
    SilenceCriterion criterion =
        new SilenceCriterion(plan.propagationRouters(), window.minus(plan.keepServingAtLeast()));
    return history.arrivals().flatMap(arrivals -> criterion.silence(arrivals, window));
  }

  /** Silence counts from the last arrival, and only once every response says close. */
  private Duration quietSince(Duration window) {
    return Durations.max(gate.lastArrival().orElse(Duration.ZERO), closeRamp(window));
  }
}
