package io.lastcall.sequence;

import io.lastcall.inflight.GateControl;
import io.lastcall.plan.Durations;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.ShutdownLog;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.propagation.SilenceCriterion;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wait of KEEP_SERVING: fixed, or, where the plan has a minimum below the delay, until silence
 * is evidence.
 */
public final class PropagationWait {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final ShutdownPlan plan;
  private final GateControl gate;
  private final ArrivalHistory history;

  /** The silence that is evidence; empty: none is. */
  private Optional<Duration> silence = Optional.empty();

  /**
   * @param history the arrivals before the shutdown
   */
  public PropagationWait(ShutdownPlan plan, GateControl gate, ArrivalHistory history) {
    this.plan = plan;
    this.gate = gate;
    this.history = history;
  }

  /** Returns the time from the trigger until every response says close. */
  Duration closeRamp(Duration window) {
    return SilenceCriterion.closeRamp(plan.keepServingAtLeast(), window);
  }

  /** Says at install() what traffic the wait needs to end early. */
  public void tellNeeds() {
    Duration window = plan.keepServing();
    criterion(window)
        .leastRate(longest(window))
        .ifPresent(
            rate ->
                log.info(
                    "Adaptive propagation: the wait can end early at some {} requests a second or"
                        + " more, if they are steady",
                    rate));
  }

  /**
   * Finds how long a silence is evidence, and says so. Call it when KEEP_SERVING begins.
   *
   * @param window the whole wait
   */
  void begin(Duration window) {
    if (plan.isAdaptive() && !window.isZero()) {
      Optional<long[]> arrivals = history.arrivals();
      silence = arrivals.flatMap(known -> criterion(window).silence(known, longest(window)));
      ShutdownLog.write(() -> log.info(words(window, arrivals)));
    }
  }

  private SilenceCriterion criterion(Duration window) {
    return new SilenceCriterion(plan.propagationRouters(), window.minus(plan.keepServingAtLeast()));
  }

  /** A silence that ends later than the window is of no use. */
  private Duration longest(Duration window) {
    return window.minus(closeRamp(window));
  }

  private String words(Duration window, Optional<long[]> arrivals) {
    if (arrivals.isEmpty()) {
      return "KEEP_SERVING waits its full time: silence is evidence only against the traffic of "
          + ArrivalHistory.SECONDS
          + " s, and there are "
          + history.seconds()
          + " s of it";
    }
    String traffic = "at " + SilenceCriterion.words(arrivals.get()) + " from " + routers();
    if (silence.isPresent()) {
      return "KEEP_SERVING may end after "
          + silence.get().toMillis()
          + " ms of silence, which is evidence "
          + traffic;
    }
    OptionalLong rate = criterion(window).leastRate(longest(window));
    return "KEEP_SERVING waits its full time: "
        + traffic
        + " no silence of up to "
        + longest(window).toMillis()
        + " ms is evidence; "
        + (rate.isPresent()
            ? "some " + rate.getAsLong() + " a second would do, if they are steady"
            : "no traffic would do");
  }

  private String routers() {
    int routers = plan.propagationRouters();
    return routers + (routers == 1 ? " router" : " routers");
  }

  /**
   * Waits until {@code end}, or until silence says that it is over. Woken when the silence would be
   * long enough, then again if a request came meanwhile.
   *
   * @param start the trigger
   * @param window the whole wait, of which {@code end} may be a part
   * @return the silence that was evidence, if it ended early
   */
  Optional<Duration> await(Deadline start, Duration window, Deadline end) {
    while (silence.isPresent() && !end.hasPassed()) {
      // In this order: a request that comes between the two must not be overlooked.
      Duration now = start.elapsed();
      Duration earliest = earliest(window);
      if (now.compareTo(earliest) >= 0) {
        return silence;
      }
      start.plus(earliest).earlier(end).awaitPassed(this);
    }
    end.awaitPassed(this);
    return Optional.empty();
  }

  /** Returns, from the trigger, when the wait is over if no request comes any more. */
  Duration earliest(Duration window) {
    return silence
        .map(known -> Durations.max(plan.keepServingAtLeast(), quietSince(window).plus(known)))
        .orElse(window);
  }

  /** Silence counts from the last arrival, and only once every response says close. */
  private Duration quietSince(Duration window) {
    return Durations.max(gate.lastArrival().orElse(Duration.ZERO), closeRamp(window));
  }
}
