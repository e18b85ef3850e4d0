package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.ShutdownLog;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.propagation.Evidence;
import io.lastcall.propagation.SilenceCriterion;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of KEEP_SERVING: fixed, or, where the plan has a minimum below the delay, until silence
 * is evidence that no router sends here any more.
 */
final class PropagationWait {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final Budget budget;
  private final Deadline start;
  private final GateControl gate;
  private final ArrivalHistory history;

  /** The ramp that the gate has: the plan may become a shorter one. */
  private Duration marked = Duration.ZERO;

  /** The silence that is evidence; empty if none is. */
  private Optional<Duration> silence = Optional.empty();

  /**
   * @param history the arrivals before the shutdown
   */
  PropagationWait(Budget budget, GateControl gate, ArrivalHistory history) {
    this.budget = budget;
    start = budget.start();
    this.gate = gate;
    this.history = history;
  }

  /** Logs at install() what traffic the wait needs to end early. */
  static void logNeeds(ShutdownPlan plan) {
    leastRate(plan, plan.keepServing())
        .ifPresent(
            rate ->
                log.info(
                    "Adaptive propagation: the wait can end early at some {} new connections a"
                        + " second or more, if they are steady",
                    rate));
  }

  private static OptionalLong leastRate(ShutdownPlan plan, Duration window) {
    return criterion(plan, window).leastRate(longest(plan, window));
  }

  private static SilenceCriterion criterion(ShutdownPlan plan, Duration window) {
    return new SilenceCriterion(plan.propagationRouters(), window.minus(plan.keepServingAtLeast()));
  }

  /** The longest silence that ends within the window. */
  private static Duration longest(ShutdownPlan plan, Duration window) {
    return window.minus(SilenceCriterion.closeRamp(plan.keepServingAtLeast(), window));
  }

  private ShutdownPlan plan() {
    return budget.plan();
  }

  private Duration window() {
    return budget.keepServing();
  }

  /** Returns the time from the trigger until every response says close; none if time is short. */
  Duration closeRamp() {
    return plan().isShort()
        ? Duration.ZERO
        : SilenceCriterion.closeRamp(plan().keepServingAtLeast(), window());
  }

  /**
   * Has responses say close from now on, more and more of them.
   *
   * @param atOnce all of them: idle connections cannot be closed later
   */
  void markResponses(boolean atOnce) {
    marked = atOnce ? Duration.ZERO : closeRamp();
    gate.leave(start, marked);
  }

  /** Asked whenever the thread is woken, as it is when the plan becomes a shorter one. */
  private boolean isDone() {
    if (closeRamp().compareTo(marked) < 0) {
      markResponses(false);
    }
    return false;
  }

  /** Finds how long a silence is evidence, and logs that. Call it when KEEP_SERVING begins. */
  void begin() {
    if (plan().isAdaptive() && !window().isZero()) {
      Evidence evidence = evidence();
      silence = evidence.silence();
      String words =
          silence.isPresent()
              ? "KEEP_SERVING may end after %d ms of silence, which is evidence at %s"
                  .formatted(silence.get().toMillis(), evidence.words())
              : "KEEP_SERVING waits its full time: " + evidence.words();
      ShutdownLog.write(() -> log.info(words));
    }
  }

  private Evidence evidence() {
    return history
        .recent()
        .map(traffic -> criterion(plan(), window()).evidence(traffic, longest(plan(), window())))
        .orElseGet(() -> Evidence.tooEarly(history.seconds()));
  }

  /** Whether silence may end the wait early, so that idle connections are better closed before. */
  boolean closesIdleEarly() {
    return silence.isPresent() && !closeRamp().isZero();
  }

  /**
   * Waits until {@code end}, which may be before the end of the window, or until silence is
   * evidence. Woken when the silence would be long enough, then again if a request came meanwhile.
   *
   * @return the silence that was evidence, if the wait ended early
   */
  Optional<Duration> await(Deadline end) {
    while (silence.isPresent() && !end.hasPassed()) {
      // The clock is read first: a request that comes between the two must not be overlooked.
      Duration now = start.elapsed();
      Deadline earliest = earliest();
      if (start.plus(now).until(earliest).isZero()) {
        return silence;
      }
      var unused = earliest.earlier(end).await(this, this::isDone);
    }
    var unused = end.await(this, this::isDone);
    return Optional.empty();
  }

  /** Returns when the wait ends if no request comes any more. */
  Deadline earliest() {
    // A request on an older connection shows no router, unless a proxy may have sent it. Silence
    // counts only once every response says close.
    Duration quietSince = Durations.max(gate.lastRouted().orElse(Duration.ZERO), closeRamp());
    return start.plus(
        silence
            .map(known -> Durations.max(plan().keepServingAtLeast(), quietSince.plus(known)))
            .orElseGet(this::window));
  }
}
